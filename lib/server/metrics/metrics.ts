import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Commit } from "../../../db/measures.ts";
import type { NewEvent } from "../../../db/repositories.ts";
import type { Journal } from "../../engine/journal.ts";
import type { Model } from "../../engine/model.ts";
import { VERSION } from "../version.ts";
import { type GaugeSources, watchGauges } from "./metrics-gauges.ts";
import { watchModel } from "./metrics-model.ts";
import { watchWaits } from "./metrics-wait.ts";

/** A request that was completed or aborted. */
export interface AnsweredRequest {
  method: string;
  /** The pattern of its route, never its path: `/api/conversations/[id]`. */
  route: string;
  /** Null if the client disconnected before the response. */
  status: number | null;
  /** Null for a stream, which lasts as long as its client. */
  seconds: number | null;
}

/** The metrics of this process, for Prometheus. */
export interface Metrics {
  request(request: AnsweredRequest): void;
  commit(commit: Commit): void;
  /** Counts a model's requests. */
  model(model: Model): Model;
  /** Counts the tool calls in a journal. */
  journal(journal: Journal): Journal;
  /** Adds gauges that are read on each scrape, and a label for the replica if there may be several. */
  watch(sources: GaugeSources & { replica: string | null }): void;
  /** The metrics in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Requests take less than 100 ms, views of large sessions less than a second; an import may take minutes. */
const REQUEST_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 5, 30];
/** A commit is one fsync: below a millisecond on a good disk, 50 ms when its group is full. */
const COMMIT_SECONDS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 1];
/** The maximum number of tool names: plans may name any, and each is a time series. */
const MOST_TOOLS = 100;

/** Creates the metrics of a server. */
export function createMetrics(): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  watchWaits(registers);
  new Gauge({
    ...{ name: "obelus_build_info", help: "Always 1; its labels describe the build.", registers },
    labelNames: ["version", "node"],
  }).set({ version: VERSION, node: process.versions.node }, 1);
  const requests = new Counter({
    ...{ name: "obelus_http_requests_total", help: "Requests answered, or aborted by the client (gone).", registers },
    labelNames: ["method", "route", "status"],
  });
  const seconds = new Histogram({
    ...{ name: "obelus_http_request_seconds", help: "Request duration, without streams.", registers },
    ...{ labelNames: ["method", "route"], buckets: REQUEST_SECONDS },
  });
  const limited = new Counter({
    ...{
      name: "obelus_requests_limited_total",
      help: "Requests rejected by rate limits (429).",
      registers,
    },
  });
  const refused = new Counter({
    ...{ name: "obelus_sign_ins_refused_total", help: "Failed sign-ins.", registers },
  });
  const events = new Counter({
    ...{ name: "obelus_events_appended_total", help: "Events appended to the log, without imports.", registers },
  });
  const commits = new Histogram({
    ...{ name: "obelus_commit_seconds", help: "Duration of write transactions.", registers },
    buckets: COMMIT_SECONDS,
  });
  const calls = new Counter({
    ...{ name: "obelus_tool_calls_total", help: "Ended tool call attempts.", registers },
    labelNames: ["tool", "outcome"],
  });
  const toolName = boundedNames(MOST_TOOLS);
  let look = async (): Promise<void> => undefined;

  function countCalls(told: readonly NewEvent[]): void {
    for (const { type, payload } of told) {
      const outcome = OUTCOMES.get(type);
      if (outcome !== undefined) calls.inc({ tool: toolName(toolOf(payload)), outcome });
    }
  }

  return {
    request({ method, route, status, seconds: taken }) {
      requests.inc({ method, route, status: status === null ? "gone" : `${Math.floor(status / 100)}xx` });
      if (taken !== null) seconds.observe({ method, route }, taken);
      if (status === 429) limited.inc();
      if (status !== null && status >= 400 && route.startsWith("/api/sign-in")) refused.inc();
    },
    commit(commit) {
      commits.observe(commit.seconds);
      if (commit.events > 0) events.inc(commit.events);
    },
    model: (model) => watchModel(model, registers),
    journal: (journal) => ({
      ...journal,
      async append(told, hold) {
        await journal.append(told, hold);
        countCalls(told);
      },
      async appendWithMemory(told, change, hold) {
        const updated = await journal.appendWithMemory(told, change, hold);
        countCalls(told);
        return updated;
      },
    }),
    watch({ replica, ...sources }) {
      if (replica !== null) register.setDefaultLabels({ replica });
      look = watchGauges(sources, registers);
    },
    async text() {
      await look();
      return register.metrics();
    },
    contentType: register.contentType,
  };
}

const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ["call.finished", "finished"],
  ["call.failed", "failed"],
]);

function toolOf(payload: NewEvent["payload"]): string {
  const tool = payload !== null && typeof payload === "object" && "tool" in payload ? payload.tool : null;
  return typeof tool === "string" ? tool : "";
}

/** Maps names after the first `most` to `other`. */
function boundedNames(most: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.size < most) known.add(name);
    return known.has(name) ? name : "other";
  };
}
