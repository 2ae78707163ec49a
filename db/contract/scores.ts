import { describe, expect, test } from "vitest";
import { MOST_SCORES, type NewScore } from "../../lib/scores/score.ts";
import { eachTime, type MakeSubject, newEvent, newEvents } from "./subject.ts";

const NEVER = Date.parse("2020-01-01T00:00:00Z");
const LATER = Date.parse("2120-01-01T00:00:00Z");

function score(more: Partial<NewScore> = {}): NewScore {
  const whole = { seq: null, run_id: null, call_id: null };
  return { ...whole, name: "rating", value: 4, source: "person", comment: null, by: "operator:anna", ...more };
}

/** The contract of `ScoreStore`, and of lists, imports and `Log` with scores. */
export function scoresContract(make: MakeSubject): void {
  describe("Scores", () => {
    const subject = eachTime(make);

    test("of all kinds are kept beside the log, and a newer one of the same author replaces the older", async () => {
      const { log, scores, events } = subject().storage;
      await log.append(newEvents("c", 3));
      const head = await events.head();
      const whole = await scores.put("c", score({ comment: "good" }));
      await scores.put("c", score({ seq: 2, name: "thumbs", value: false }));
      await scores.put("c", score({ run_id: "r", call_id: "k", name: "topic", value: "refund", source: "program" }));
      await scores.put("c", score({ value: 1.5, by: "operator:boris" }));
      expect(await scores.put("c", score({ value: 2 }))).toMatchObject({ id: whole?.id, value: 2, comment: null });
      await subject().reopen();
      const listed = await subject().storage.scores.list("c");
      expect(listed).toHaveLength(4);
      expect(listed).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: "rating", value: 2, by: "operator:anna", seq: null }),
          expect.objectContaining({ name: "rating", value: 1.5, by: "operator:boris" }),
          expect.objectContaining({ name: "thumbs", value: false, seq: 2 }),
          expect.objectContaining({ name: "topic", value: "refund", run_id: "r", call_id: "k", source: "program" }),
        ]),
      );
      expect(await subject().storage.events.head()).toBe(head);
      expect(await subject().faults()).toEqual([]);
    });

    test("of a model keep what it was asked and answered, whose tokens are summed by author and day", async () => {
      const { log, scores } = subject().storage;
      await log.append(newEvents("c", 1));
      const judgement = {
        model: "m",
        prompt: "Is it?\u0000",
        answer: "yes",
        input_tokens: 90,
        output_tokens: 10,
        cost: [{ currency: "EUR", amount: 0.25 }],
      };
      const by = { source: "evaluator", by: "judge:careful" } as const;
      const stored = await scores.put("c", score({ ...by, value: true }), judgement);
      await scores.put("c", score({ ...by, name: "other", value: 3 }), { ...judgement, cost: null });
      const plain = await scores.put("c", score());
      await subject().reopen();
      const { scores: again } = subject().storage;
      expect(await again.judgement("c", stored?.id ?? "")).toEqual(judgement);
      expect(await again.judgement("c", plain?.id ?? "")).toBeNull();
      expect(await again.judgement("c", "none")).toBeNull();
      expect(await again.spent("judge:careful", NEVER)).toEqual({ scores: 2, tokens: 200, cost: 0.25 });
      expect(await again.spent("judge:careful", LATER)).toEqual({ scores: 0, tokens: 0, cost: 0 });
      expect(await again.spent("judge:else", NEVER)).toEqual({ scores: 0, tokens: 0, cost: 0 });
    });

    test("of people and others on the same conversation under the same name are read together, newest first", async () => {
      const { log, scores } = subject().storage;
      await log.append([...newEvents("c", 1), ...newEvents("d", 1)]);
      await scores.put("c", score({ name: "good", value: true }));
      await scores.put("c", score({ name: "good", value: false, source: "evaluator", by: "judge:careful" }));
      await scores.put("d", score({ name: "good", value: true, source: "evaluator", by: "judge:careful" }));
      await scores.put("d", score({ name: "other", value: 3 }));
      const read = await scores.reviewed(NEVER);
      expect(read.map(({ conversation_id, name, by, value }) => [conversation_id, name, by, value]).sort()).toEqual([
        ["c", "good", "judge:careful", false],
        ["c", "good", "operator:anna", true],
        ["d", "other", "operator:anna", 3],
      ]);
      expect(await scores.reviewed(LATER)).toEqual([]);
    });

    test("are removed by id, once", async () => {
      const { log, scores } = subject().storage;
      await log.append(newEvents("c", 1));
      const stored = await scores.put("c", score());
      expect(await scores.remove("c", stored?.id ?? "")).toEqual(stored);
      expect(await scores.remove("c", stored?.id ?? "")).toBeNull();
      expect(await scores.list("c")).toEqual([]);
    });

    test("are refused for unknown conversations and steps, and beyond their number", async () => {
      const { log, scores } = subject().storage;
      expect(await scores.list("c")).toBeNull();
      expect(await scores.put("c", score())).toBeNull();
      await log.append(newEvents("c", 1));
      await expect(scores.put("c", score({ seq: 2 }))).rejects.toMatchObject({ code: "out_of_range", last: 1 });
      const imported = Array.from({ length: MOST_SCORES }, (_, index) => ({
        ...score({ name: `n${index}` }),
        at: "2026-01-01T00:00:00.000Z",
      }));
      const source = [{ conversation_id: "full", events: newEvents("full", 1), scores: imported }];
      await log.importConversations(from(source), new AbortController().signal);
      await expect(scores.put("full", score({ name: "more" }))).rejects.toMatchObject({ code: "conflict" });
      expect(await scores.put("full", score({ name: "n1", value: 5 }))).toMatchObject({ value: 5 });
    });

    test("are summed up in the list, which they filter", async () => {
      const { log, scores, conversations } = subject().storage;
      for (const id of ["a", "b", "c"]) await log.append(newEvents(id, 1));
      await scores.put("a", score({ value: 2 }));
      await scores.put("a", score({ value: 4, by: "operator:boris" }));
      await scores.put("a", score({ name: "topic", value: "refund" }));
      await scores.put("b", score({ value: 5 }));
      await scores.put("b", score({ name: "thumbs", value: false }));
      expect((await conversations.get("a"))?.scores).toEqual([
        { name: "rating", kind: "number", count: 2, value: 3 },
        { name: "topic", kind: "category", count: 1, value: "refund" },
      ]);
      const ids = async (filter: Parameters<typeof conversations.list>[0]["score"]) =>
        (await conversations.list({ limit: 10, score: filter })).items.map(({ id }) => id).sort();
      expect(await ids({ name: "rating" })).toEqual(["a", "b"]);
      expect(await ids({ name: "rating", is: { operator: "<", value: "3" } })).toEqual(["a"]);
      expect(await ids({ name: "rating", is: { operator: ">=", value: "5" } })).toEqual(["b"]);
      expect(await ids({ name: "thumbs", is: { operator: "=", value: "false" } })).toEqual(["b"]);
      expect(await ids({ name: "topic", is: { operator: "=", value: "refund" } })).toEqual(["a"]);
      expect(await ids({ name: "topic", is: { operator: "=", value: "1" } })).toEqual([]);
      expect(await ids({ name: "nothing" })).toEqual([]);
    });

    test("of OpenTelemetry wait for the events of their span, and are dropped when it does not come", async () => {
      const { log, scores } = subject().storage;
      const given = (events: string) => ({ place: { events }, score: score({ source: "program" }) });
      await scores.keep([given("otlp:t:run:"), given("otlp:t:call:"), given("otlp:t:model:"), given("otlp:gone:x:")]);
      await scores.keep([given("otlp:t:run:")]);
      await scores.keep([{ place: { conversation_id: "c" }, score: score({ name: "whole" }) }]);
      expect(await scores.settle(NEVER)).toEqual({ waiting: 5, dropped: 0 });
      await log.append([
        newEvent({ id: "otlp:t:run:conversation", type: "conversation.created", payload: {} }),
        newEvent({ id: "otlp:t:run:started", type: "run.started", run_id: "r", payload: {} }),
        newEvent({ id: "otlp:t:call:x", type: "call.started", run_id: "r", payload: { call_id: "k", tool: "pay" } }),
        newEvent({ id: "otlp:t:model:y", type: "model.requested", run_id: "r", payload: {} }),
      ]);
      await subject().reopen();
      const { storage } = subject();
      expect(await storage.scores.settle(NEVER)).toEqual({ waiting: 1, dropped: 0 });
      const listed = await storage.scores.list("c");
      expect(listed?.map(({ seq, run_id, call_id, name }) => [name, seq, run_id, call_id])).toEqual(
        expect.arrayContaining([
          ["whole", null, null, null],
          ["rating", null, "r", null],
          ["rating", null, "r", "k"],
          ["rating", 4, null, null],
        ]),
      );
      expect(await storage.scores.settle(LATER)).toEqual({ waiting: 0, dropped: 1 });
    });

    test("are imported with the conversation, and an existing one is not changed", async () => {
      const { log, scores } = subject().storage;
      const at = "2026-01-01T00:00:00.000Z";
      const imported = (value: number) =>
        log.importConversations(
          from([{ conversation_id: "i", events: newEvents("i", 2), scores: [{ ...score({ value }), at }] }]),
          new AbortController().signal,
        );
      await imported(3);
      await imported(1);
      expect(await scores.list("i")).toMatchObject([{ value: 3, at, by: "operator:anna" }]);
    });
  });
}

async function* from<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
