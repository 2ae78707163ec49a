import { z } from "zod";
import { identifier } from "../session/events/catalogue.ts";
import { jsonObject, jsonValue } from "../session/json/json-schema.ts";
import { expectation } from "./expectations.ts";

/** Limits of a suite: a run of it is `cases × tries` conversations. */
export const MOST_CASES = 500;
/** Suites of a server. */
export const MOST_SUITES = 200;
export const MOST_TRIES = 10;
export const TRIES_AT_ONCE = 4;
/** Of a case. */
export const MOST_TURNS = 100;
export const MOST_STEPS = 2_000;
export const MOST_EXPECTED = 50;
/** Characters of a case as JSON: a long session with its tools' answers. */
export const LARGEST_CASE = 5_000_000;

/** Characters of what must hold in a case, as JSON. */
export const LARGEST_EXPECTED = 1_000_000;

/** How a call ended. */
export const callResult = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), output: jsonValue }),
  z.strictObject({
    ok: z.literal(false),
    error: z.strictObject({ code: z.string().max(200), message: z.string() }),
  }),
]);
export type CallResult = z.infer<typeof callResult>;

/** What an agent did, in order: it called a tool, or said something to its user. */
export const step = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("call"),
    /** Its event in the session. */
    seq: z.int().min(0),
    call_id: identifier,
    tool: identifier,
    params: jsonObject,
    /** Null: it did not end, or not by an answer. */
    result: callResult.nullable(),
    /** Which alternative of its output path it took; null for the first. */
    branch: z.int().min(0).nullable().default(null),
  }),
  z.strictObject({ kind: z.literal("says"), seq: z.int().min(0), content: z.string() }),
]);
export type Step = z.infer<typeof step>;
export type CallStep = Extract<Step, { kind: "call" }>;

/** What a user said, and what the agent did about it when it was recorded. */
const turn = z.strictObject({ message: z.string(), steps: z.array(step).max(MOST_STEPS) });
export type Turn = z.infer<typeof turn>;

const count = z.int().min(0);
/** What something took: its models' tokens, and its time. */
export const taken = z.strictObject({
  /** By model. */
  usage: z
    .array(
      z.strictObject({
        model: z.string().max(500),
        responses: count,
        /** Of these responses, how many did not tell their tokens. */
        unreported: count,
        input_tokens: count,
        output_tokens: count,
      }),
    )
    .max(100),
  /** ms; null if its events have no times. */
  duration: z.number().min(0).nullable(),
});
export type Taken = z.infer<typeof taken>;

/** A recorded session as a test: what went in, what the world answered, and what has to hold. */
export const suiteCase = z.strictObject({
  id: identifier,
  title: z.string().min(1).max(500),
  tags: z.array(z.string().min(1).max(50)).max(20).default([]),
  /** The session that it was saved from, and up to which step it is what stood before. */
  source: z.strictObject({ conversation_id: identifier, seq: z.int().min(0) }),
  agent_id: identifier.nullable(),
  /** As it stood before the first turn. */
  before: z.strictObject({
    messages: z.array(z.strictObject({ role: z.enum(["user", "assistant"]), content: z.string() })).max(MOST_STEPS),
    /** By instance; "" if there are none. */
    state: jsonObject,
    memory: jsonValue,
  }),
  turns: z.array(turn).min(1).max(MOST_TURNS),
  /** The state when the recorded session ended, by instance. */
  state: jsonObject,
  /** What its turns took when they were recorded; null in older cases. */
  taken: taken.nullable().default(null),
  expected: z.array(expectation).max(MOST_EXPECTED).default([]),
});
export type SuiteCase = z.infer<typeof suiteCase>;

/** All that the agent did in a case when it was recorded. */
export function recordedSteps({ turns }: Pick<SuiteCase, "turns">): Step[] {
  return turns.flatMap(({ steps }) => steps);
}
