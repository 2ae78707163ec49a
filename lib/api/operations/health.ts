import { z } from "zod";
import { answerJson } from "../answers/answer.ts";
import { operation } from "../operation.ts";
import { Problem } from "../problem.ts";

/** Liveness: the process responds. */
export const getHealth = operation({
  method: "GET",
  name: "getHealth",
  permission: "public",
  path: "/api/health",
  summary: "Liveness: the process responds.",
  answers: { 200: { description: "It does.", schema: z.object({ status: z.literal("ok") }) } },
  run: async () => answerJson({ status: "ok" }),
});

/** Readiness of this replica: storage can read and write, the log is followed, and the server is not stopping (404). */
export const getReady = operation({
  method: "GET",
  name: "getReady",
  permission: "public",
  path: "/api/ready",
  summary:
    "Readiness: storage responds and is intact, the log of other replicas is followed, and the server is not stopping (404, while it still answers).",
  answers: { 200: { description: "Send requests.", schema: z.object({ status: z.literal("ready") }) } },
  async run(_input, { events, damage, replicas, draining }) {
    // For HAProxy (`disable-on-404`) this means: nothing new, but let what is open end.
    if (draining.aborted) throw new Problem("not_found", "The server is stopping; send requests to another one.");
    const damaged = damage();
    if (damaged) throw damaged;
    await replicas.ready();
    await events.head();
    return answerJson({ status: "ready" });
  },
});
