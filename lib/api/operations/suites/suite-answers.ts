import { z } from "zod";
import type { AgentVersionRow, PromotionRow, SuiteCaseRow, SuiteRow, SuiteRunRow } from "../../../../db/suites.ts";
import { jsonValue } from "../../../session/json/json-schema.ts";
import { step, taken } from "../../../suites/case.ts";
import type { NumberedTry, RunComparison, RunReport } from "../../../suites/run-report.ts";
import { tryBrief } from "../../../suites/try-brief.ts";

const time = z.iso.datetime();

/** The name of a suite: it stands in addresses. */
export const suiteName = z
  .string()
  .min(1, "must not be empty")
  .max(64, "must have at most 64 characters")
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, "must have letters, digits, dots, hyphens and underscores only");

export const suiteRun = z.object({
  id: z.string(),
  suite: z.string(),
  agent_id: z.string(),
  version: z.string().describe("The digest of the agent's definition."),
  model: z.string(),
  rule: z.enum(["nearest", "stub", "stop"]).describe("What answers calls that were not recorded."),
  tries: z.int().describe("Of each case."),
  cases: z.array(z.string()),
  status: z
    .enum(["queued", "running", "finished", "cancelled", "failed", "interrupted"])
    .describe("`queued`: it waits for other runs. `interrupted`: the process that carried it out has ended."),
  error: z.string().nullable(),
  done: z.int().describe("Tries that are done."),
  total: z.int(),
  started_at: time,
  started_by: z.string(),
  finished_at: time.nullable(),
}) satisfies z.ZodType<SuiteRunRow>;

export const suiteRow = z.object({
  name: z.string(),
  cases: z.int(),
  created_at: time,
  created_by: z.string(),
  run: suiteRun.nullable().describe("The newest."),
  tried: z.int().describe("Its cases that have been tried."),
  passed: z.int().describe("Of these, those all of whose tries passed."),
}) satisfies z.ZodType<SuiteRow>;

export const suiteCaseRow = z.object({
  id: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  conversation_id: z.string(),
  calls: z.int().describe("Recorded calls."),
  created_at: time,
  created_by: z.string(),
}) satisfies z.ZodType<SuiteCaseRow>;

const share = z.object({ share: z.number(), from: z.number(), to: z.number() }).describe("With its 95 % interval.");
const cost = z.array(z.object({ currency: z.string(), amount: z.number() })).nullable();
const verdict = z.enum(["passed", "failed", "flaky"]);
const counts = z.object({ passed: z.int(), failed: z.int(), flaky: z.int() });
const numberedTry = tryBrief.extend({ number: z.int() }) satisfies z.ZodType<NumberedTry>;

export const runReportAnswer = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      tags: z.array(z.string()),
      conversation_id: z.string(),
      verdict: verdict.nullable().describe("Null while tries are missing."),
      passed: share,
      tries: z.array(numberedTry),
      first: tryBrief.shape.first,
      calls: z.int(),
      recorded: z.int().describe("Calls that the same recorded call answered."),
      taken: z
        .object({ cost, tokens: z.number().nullable(), duration: z.number().nullable() })
        .describe("By one try, on average; ms."),
    }),
  ),
  counts,
  passed: share,
  answered: tryBrief.shape.answered,
  cost,
  tokens: z.number().nullable(),
}) satisfies z.ZodType<RunReport>;

const comparison = z.object({
  cases: z.int(),
  before: share,
  after: share,
  change: share,
}) satisfies z.ZodType<RunComparison>;

/** A run with what came of it. */
export const suiteRunAnswer = z.object({
  run: suiteRun,
  report: runReportAnswer,
  against: z
    .object({ run: suiteRun, report: runReportAnswer, comparison: comparison.nullable() })
    .nullable()
    .describe("The run that it is compared with."),
});

const change = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  kind: z.enum(["add", "change", "remove"]),
  before: jsonValue.optional(),
  after: jsonValue.optional(),
});
const both = z.object({ recorded: taken.nullable(), now: taken.nullable() });
/** The whole result of a try. */
const tryResult = tryBrief.extend({
  conversation_id: z.string(),
  answers: z.array(
    z.object({
      tool: z.string(),
      params: z.record(z.string(), jsonValue),
      from: z.enum(["recorded", "nearest", "stub", "stop"]),
      recorded: z.object({ seq: z.int(), call_id: z.string() }).nullable(),
      differs: z.int(),
    }),
  ),
  difference: z.object({
    steps: z.array(
      z.object({
        kind: z.enum(["same", "changed", "removed", "added"]),
        recorded: step.nullable(),
        now: step.nullable(),
        params: z.array(change),
        result: z.array(change),
        words: z.array(z.object({ text: z.string(), added: z.boolean(), removed: z.boolean() })).nullable(),
      }),
    ),
    first: z.int().nullable(),
    state: z.array(change),
    taken: both,
  }),
});

/** What came of one case in a run. */
export const caseResultAnswer = z.object({
  run: suiteRun,
  case: suiteCaseRow,
  items: z.array(z.object({ number: z.int(), result: tryResult })),
});

export const promotion = z.object({
  id: z.string(),
  agent_id: z.string(),
  version: z.string(),
  before: z.string().describe("The version that it had before."),
  run_id: z.string().nullable(),
  promoted_at: time,
  promoted_by: z.string(),
}) satisfies z.ZodType<PromotionRow>;

export const agentVersion = z.object({
  agent_id: z.string(),
  version: z.string(),
  definition: jsonValue,
  created_at: time.describe("When a suite was last run with it, or the agent was last given another instead."),
  created_by: z.string(),
}) satisfies z.ZodType<AgentVersionRow>;
