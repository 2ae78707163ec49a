import { expect, it } from "vitest";
import type { SessionEvent } from "@/lib/session/event.ts";
import { MOST_MESSAGES, readTranscript } from "./read-transcript.ts";

/** A log in memory with pages like the repository's. */
function logOf(types: readonly string[]) {
  const log = types.map(
    (type, index): SessionEvent => ({
      id: `e${index}`,
      conversation_id: "c",
      seq: index + 1,
      position: index + 1,
      type,
      actor: null,
      agent_id: null,
      run_id: null,
      parent_run_id: null,
      caused_by: null,
      payload: { content: "Said", tool: "t", text: "Come" },
      occurred_at: null,
      recorded_at: "2026-01-01T00:00:00.000Z",
    }),
  );
  return {
    list: async (_id: string, { after, limit, type }: { after: number; limit: number; type?: string }) =>
      log.filter((event) => event.seq > after && event.type === type).slice(0, limit),
  };
}

it("C: a transcript has messages, calls and decisions in order", async () => {
  const types = ["message.created", "call.started", "call.succeeded", "model.requested", "manager.alerted"];
  const { entries, omitted } = await readTranscript(logOf(types), "c");
  expect(entries.map(({ kind }) => kind)).toEqual(["message", "call", "alert"]);
  expect(omitted).toBe(0);
});

it("C: of a very long conversation it has the newest messages, later events, and the number of omitted messages", async () => {
  const said = Array.from({ length: MOST_MESSAGES + 3_500 }, () => "message.created");
  const { entries, omitted } = await readTranscript(logOf(["call.succeeded", ...said, "call.failed"]), "c");
  expect(omitted).toBe(3_500);
  expect(entries).toHaveLength(MOST_MESSAGES + 1);
  expect(entries.at(-1)).toMatchObject({ kind: "call", outcome: "failed" });
});
