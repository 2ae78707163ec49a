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

/** Readiness of this replica: storage can read and write, the log is followed, and the server is not stopping. */
export const getReady = operation({
  method: "GET",
  name: "getReady",
  permission: "public",
  path: "/api/ready",
  summary:
    "Readiness: storage responds and is intact, the log of other replicas is followed, and the server is not stopping.",
  answers: { 200: { description: "Send requests.", schema: z.object({ status: z.literal("ready") }) } },
  async run(_input, { events, damage, replicas, draining }) {
    if (draining.aborted) throw new Problem("unavailable", "The server is stopping; retry in a moment.");
    const damaged = damage();
    if (damaged) throw damaged;
    await replicas.ready();
    await events.head();
    return answerJson({ status: "ready" });
  },
});
