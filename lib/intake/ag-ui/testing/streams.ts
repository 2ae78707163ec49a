import { type AGUIEvent, EventType } from "@ag-ui/core";
import fc from "fast-check";
import type { Json } from "../../../session/json/json.ts";

const key = fc.constantFrom("a", "b", "c", "__proto__", "x y");
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Json>(null, 1, "text", true),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const state = fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true });
const text = fc.string({ unit: "grapheme", maxLength: 12 });

/** A self-contained piece of a run; `n` makes its ids unique. */
type Piece = (n: number) => AGUIEvent[];

const message = fc.record({ role: fc.constantFrom("assistant", "user"), deltas: fc.array(text, { maxLength: 3 }) }).map(
  ({ role, deltas }): Piece =>
    (n) => [
      { type: EventType.TEXT_MESSAGE_START, messageId: `m${n}`, role: role === "user" ? "user" : "assistant" },
      ...deltas.map((delta) => ({ type: EventType.TEXT_MESSAGE_CONTENT, messageId: `m${n}`, delta }) as const),
      { type: EventType.TEXT_MESSAGE_END, messageId: `m${n}` },
    ],
);
const chunks = fc.array(text, { minLength: 1, maxLength: 3 }).map(
  (deltas): Piece =>
    (n) =>
      deltas.map((delta) => ({ type: EventType.TEXT_MESSAGE_CHUNK, messageId: `m${n}`, delta })),
);
const call = fc.record({ params: state, result: fc.option(value), size: fc.integer({ min: 1, max: 9 }) }).map(
  ({ params, result, size }): Piece =>
    (n) => {
      const toolCallId = `c${n}`;
      const pieces = JSON.stringify(params).match(new RegExp(`.{1,${size}}`, "gsu")) ?? [];
      return [
        { type: EventType.TOOL_CALL_START, toolCallId, toolCallName: "find" },
        ...pieces.map((delta) => ({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta }) as const),
        { type: EventType.TOOL_CALL_END, toolCallId },
        ...(result === null
          ? []
          : [
              {
                type: EventType.TOOL_CALL_RESULT,
                messageId: `r${n}`,
                toolCallId,
                content: JSON.stringify(result),
              } as const,
            ]),
      ];
    },
);
const snapshot = state.map(
  (snapshot): Piece =>
    () => [{ type: EventType.STATE_SNAPSHOT, snapshot }],
);
const delta = fc.record({ name: fc.constantFrom("a", "b", "d"), value }).map(
  ({ name, value }): Piece =>
    () => [{ type: EventType.STATE_DELTA, delta: [{ op: "add", path: `/${name}`, value }] }],
);
const note = fc.constantFrom<Piece>(
  () => [{ type: EventType.CUSTOM, name: "note", value: { at: 1 } }],
  () => [
    { type: EventType.STEP_STARTED, stepName: "think" },
    { type: EventType.STEP_FINISHED, stepName: "think" },
  ],
  (n) => [
    { type: EventType.REASONING_MESSAGE_START, messageId: `t${n}`, role: "reasoning" },
    { type: EventType.REASONING_MESSAGE_CONTENT, messageId: `t${n}`, delta: "hm" },
    { type: EventType.REASONING_MESSAGE_END, messageId: `t${n}` },
  ],
  (n) => [
    { type: EventType.SUBAGENT_STARTED, subagentRunId: `s${n}`, name: "helper" },
    { type: EventType.TEXT_MESSAGE_START, messageId: `sm${n}`, role: "assistant", subagentRunId: `s${n}` },
    { type: EventType.TEXT_MESSAGE_CONTENT, messageId: `sm${n}`, delta: "done", subagentRunId: `s${n}` },
    { type: EventType.TEXT_MESSAGE_END, messageId: `sm${n}`, subagentRunId: `s${n}` },
    { type: EventType.SUBAGENT_FINISHED, subagentRunId: `s${n}` },
  ],
);
const pieces = fc.array(fc.oneof(message, chunks, call, snapshot, delta, note), { maxLength: 8 });
const end = fc.constantFrom("finished", "cancelled", "failed", "open");

/** Valid streams of a thread with one to three runs. */
export const anyStream: fc.Arbitrary<AGUIEvent[]> = fc
  .array(fc.record({ pieces, end, said: fc.boolean() }), { minLength: 1, maxLength: 3 })
  .map((runs) => {
    let n = 0;
    return runs.flatMap(({ pieces, end, said }, index): AGUIEvent[] => {
      const runId = `run-${index}`;
      const place = { threadId: "thread", runId };
      const messages = said ? [{ id: `u${index}`, role: "user" as const, content: "Hello" }] : [];
      return [
        { type: EventType.RUN_STARTED, ...place, input: { ...place, messages, tools: [], context: [] } },
        ...pieces.flatMap((piece) => piece(n++)),
        ...ended(end, place),
      ];
    });
  });

function ended(end: string, place: { threadId: string; runId: string }): AGUIEvent[] {
  if (end === "failed") return [{ type: EventType.RUN_ERROR, message: "It broke" }];
  if (end === "cancelled") return [{ type: EventType.RUN_FINISHED, ...place, outcome: { type: "cancelled" } }];
  return end === "finished" ? [{ type: EventType.RUN_FINISHED, ...place }] : [];
}
