import { Counter, Histogram, type Registry } from "prom-client";
import { type Model, ModelError } from "../../engine/model.ts";

/** A model responds within seconds, and a long response takes minutes. */
const SECONDS = [0.5, 1, 2, 5, 10, 30, 60, 120];

/** Counts a model's requests, tokens and durations. */
export function watchModel({ model, provider, stateless, respond }: Model, registers: Registry[]): Model {
  const labels = { registers, labelNames: ["model"] as const };
  const requests = new Counter({
    ...{ name: "obelus_model_requests_total", help: "Requests to models, by outcome." },
    ...{ registers, labelNames: ["model", "outcome"] as const },
  });
  const errors = new Counter({
    ...{ name: "obelus_model_errors_total", help: "Failed requests to models, by reason." },
    ...{ registers, labelNames: ["model", "code"] as const },
  });
  const seconds = new Histogram({
    ...{ name: "obelus_model_seconds", help: "Duration of requests to models, until complete or failed." },
    ...{ ...labels, buckets: SECONDS },
  });
  const input = new Counter({ name: "obelus_model_input_tokens_total", help: "Input tokens.", ...labels });
  const output = new Counter({
    name: "obelus_model_output_tokens_total",
    help: "Output tokens.",
    ...labels,
  });
  return {
    model,
    provider,
    ...(stateless !== undefined && { stateless }),
    async *respond(request, signal) {
      const began = performance.now();
      // A consumer that stops early aborts the request.
      let outcome = "given_up";
      try {
        for await (const part of respond(request, signal)) {
          if (part.type === "done") {
            outcome = "answered";
            input.inc({ model }, part.answer.input_tokens);
            output.inc({ model }, part.answer.output_tokens);
          }
          yield part;
        }
      } catch (error) {
        if (!signal.aborted) {
          outcome = "failed";
          errors.inc({ model, code: error instanceof ModelError ? error.code : "other" });
        }
        throw error;
      } finally {
        requests.inc({ model, outcome });
        seconds.observe({ model }, (performance.now() - began) / 1_000);
      }
    },
  };
}
