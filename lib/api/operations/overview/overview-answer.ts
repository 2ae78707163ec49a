import { z } from "zod";
import type { CountedOverview, CountedToolReport, CountedVersions } from "../../../../db/rollup.ts";
import { FINDING_KINDS } from "../../../rollup/findings.ts";
import type { CountedTools } from "../../../rollup/tool-report.ts";
import { MEASURES, UNUSUAL } from "../../../rollup/versions.ts";

const time = z.iso.datetime();
const grain = z.enum(["hour", "day"]);
const ms = z.number().nullable();

const latency = z.object({ p50: ms, p95: ms, p99: ms }).describe("In ms, within 1 %; null where there was none.");

const figures = z.object({
  conversations: z.int().describe("Conversations that began."),
  turns: z.int(),
  failed_turns: z.int(),
  escalated: z.int().describe("Turns that called a manager."),
  calls: z.int(),
  failed_calls: z.int().describe("Calls whose failure nothing handled."),
  latency: latency.describe("Of turns, in ms, without the time in which they waited for people."),
  approvals: z.int().describe("Approvals that people answered."),
  wait: ms.describe("How long half of them waited at most, ms."),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost: z.array(z.object({ currency: z.string(), amount: z.number() })).describe("The known cost, by currency."),
  unpriced: z.int().describe("Requests to models whose cost is not known."),
});

const counted = z.object({ count: z.int(), failed: z.int(), escalated: z.int(), p95: ms });

const share = counted.extend({
  name: z.string(),
  agent: z.string().nullable().describe("Of a version: its agent."),
  before: counted,
});

const finding = z.object({
  kind: z.enum(FINDING_KINDS),
  agent: z.string().nullable(),
  version: z.string().nullable(),
  tool: z.string().nullable(),
  since: time.nullable().describe("When the version came with which it changed."),
  count: z.int().describe("Turns or calls."),
  hit: z.int().describe("How many of them failed, or were escalated."),
  p95: ms,
  before: z.object({ count: z.int(), hit: z.int(), p95: ms }),
  conversations: z.int().describe("How many conversations were hit."),
});

const score = z.object({
  count: z.int(),
  mean: z
    .number()
    .nullable()
    .describe("Of numbers their mean, of yes or no the share of yes, of a category its share of all of the name."),
});
const scoreShare = score.extend({ name: z.string(), agent: z.string().nullable(), before: score });

export const overviewAnswer = z.object({
  grain,
  before: time.describe("The beginning of the period before, which is as long."),
  from: time,
  to: time,
  now: figures,
  earlier: figures,
  buckets: z.array(z.object({ at: time, now: figures, earlier: figures })),
  where: z.object({
    ...{ tool: z.array(share), agent: z.array(share), version: z.array(share) },
    ...{ model: z.array(share), channel: z.array(share), stage: z.array(share) },
  }),
  releases: z.array(z.object({ agent: z.string(), version: z.string(), at: time })),
  findings: z.array(finding).describe("What changed beyond chance, the most important first."),
  scores: z
    .array(
      z.object({
        name: z.string(),
        kind: z.enum(["number", "boolean", "category"]),
        category: z.string().nullable().describe("Of categories there is one entry for each."),
        now: score,
        earlier: score,
        buckets: z.array(z.object({ now: score, earlier: score })).describe("In the order of `buckets`."),
        where: z.object({ agent: z.array(scoreShare), version: z.array(scoreShare), tool: z.array(scoreShare) }),
      }),
    )
    .describe("Scores by name, counted when the turn or the conversation began that they are about."),
  behind: z.int().describe("Events that are not counted yet, up to 10,000."),
});

export type OverviewAnswer = z.infer<typeof overviewAnswer>;

const calls = z.object({ count: z.int(), failed: z.int(), latency, approvals: z.int(), wait: ms });
const toolFigures = calls.extend({
  name: z.string(),
  before: calls,
  worse: z.boolean().describe("It fails more often than before, beyond chance."),
});

export const toolsAnswer = z.object({
  from: time,
  to: time,
  tools: z.array(
    toolFigures.extend({
      over_time: z
        .array(z.object({ count: z.int(), failed: z.int() }))
        .describe("By part of the period, of equal length."),
    }),
  ),
  left_out: z.int().describe("How many more tools there are, with fewer calls."),
  behind: z.int(),
});

export type ToolsAnswer = z.infer<typeof toolsAnswer>;

export const toolAnswer = toolFigures.extend({
  grain,
  from: time,
  to: time,
  buckets: z.array(z.object({ at: time, count: z.int(), failed: z.int(), earlier: z.int() })),
  distribution: z
    .array(z.object({ from: z.number(), to: z.number(), now: z.int(), earlier: z.int() }))
    .describe("How many calls took so long, in ms."),
  callers: z.array(
    z.object({
      agent: z.string(),
      version: z.string(),
      count: z.int(),
      failed: z.int(),
      before: z.object({ count: z.int(), failed: z.int() }),
    }),
  ),
  callers_left_out: z.int().describe("How many more callers there are, with fewer calls."),
  errors: z.array(
    z.object({
      fingerprint: z.string(),
      code: z.string().nullable(),
      message: z.string().describe("The newest."),
      calls: z.int(),
      conversations: z.int(),
      first: time.describe("Of the failures that were compared, also before the period."),
      last: time,
      over_time: z.array(z.int()),
      versions: z.array(z.string()),
      examples: z.array(z.object({ conversation_id: z.string(), name: z.string().nullable(), seq: z.int(), at: time })),
    }),
  ),
  errors_cut: z.boolean().describe("Only the newest 2,000 failures of the tool are grouped, and there are more."),
  slowest: z.array(
    z.object({ conversation_id: z.string(), name: z.string().nullable(), seq: z.int(), took: z.number() }),
  ),
  behind: z.int(),
});

export type ToolAnswer = z.infer<typeof toolAnswer>;

const estimate = z.object({ value: z.number(), from: z.number(), to: z.number() });
const named = z.object({ id: z.string(), name: z.string().nullable() });
const side = z.object({ conversations: z.int(), turns: z.int() });

export const versionsAnswer = z.object({
  from: time,
  to: time,
  versions: z
    .array(z.object({ version: z.string(), conversations: z.int(), turns: z.int(), first: time, last: time }))
    .describe("The versions of the agent in the period, the newest first."),
  compared: z
    .object({
      versions: z.object({ before: z.string(), after: z.string() }),
      before: side,
      after: side,
      cut: z.boolean().describe("Only the newest 10,000 conversations of a version were compared."),
      measures: z.array(
        z.object({
          name: z
            .enum(MEASURES)
            .describe(
              "Shares of conversations in which a turn failed, a call failed, or a manager was called; of turns the duration (ms) that half of them, and 95 % of them, are not above, the mean cost, and the mean tokens.",
            ),
          currency: z.string().nullable(),
          before: estimate.nullable().describe("With its 95 % interval."),
          after: estimate.nullable(),
          change: estimate
            .extend({ sure: z.boolean().describe("Chance explains it in less than 1 of 150 cases.") })
            .nullable(),
          hits: z.object({ before: z.int(), after: z.int() }).nullable().describe("Of shares: the conversations."),
        }),
      ),
      scores: z
        .array(
          z.object({
            name: z.string(),
            kind: z.enum(["number", "boolean", "category"]),
            category: z.string().nullable(),
            before: estimate.nullable(),
            after: estimate.nullable(),
            change: estimate.extend({ sure: z.boolean() }).nullable(),
            hits: z.object({ before: z.int(), after: z.int() }).nullable(),
          }),
        )
        .describe(
          "Of numbers the mean; of yes or no the share of conversations in which none is no; of a category the share that has it.",
        ),
      differing: z
        .array(
          z.object({
            conversation: named,
            unusual: z.array(z.enum(UNUSUAL)).describe("What less than 1 in 20 of the version before had."),
            longest: ms.describe("Its longest turn, ms."),
            tokens: z.int(),
            beside: named.nullable().describe("A usual conversation of the version before."),
          }),
        )
        .describe("The conversations of the new version that the one before hardly ever had."),
    })
    .nullable()
    .describe("Null if there are no two versions."),
  behind: z.int(),
});

export type VersionsAnswer = z.infer<typeof versionsAnswer>;

const iso = (ms: number) => new Date(ms).toISOString();

/** An overview as it is sent: times in ISO 8601. */
export function toOverviewAnswer({ hit, ...overview }: CountedOverview): OverviewAnswer {
  return {
    ...overview,
    ...{ before: iso(overview.before), from: iso(overview.from), to: iso(overview.to) },
    buckets: overview.buckets.map(({ at, ...bucket }) => ({ at: iso(at), ...bucket })),
    releases: overview.releases.map(({ at, ...release }) => ({ ...release, at: iso(at) })),
    findings: overview.findings.map(({ since, ...finding }, index) => ({
      ...finding,
      since: since === null ? null : iso(since),
      conversations: hit[index] ?? 0,
    })),
  };
}

export function toToolsAnswer(
  { tools, left_out, behind }: CountedTools & { behind: number },
  { from, to }: { from: number; to: number },
): ToolsAnswer {
  return { from: iso(from), to: iso(to), tools, left_out, behind };
}

export function toToolAnswer(report: CountedToolReport): ToolAnswer {
  return {
    ...report,
    ...{ from: iso(report.from), to: iso(report.to) },
    buckets: report.buckets.map(({ at, ...bucket }) => ({ at: iso(at), ...bucket })),
    errors: report.errors.map(({ first, last, examples, ...error }) => ({
      ...error,
      ...{ first: iso(first), last: iso(last) },
      examples: examples.map(({ at, ...example }) => ({ ...example, at: iso(at) })),
    })),
  };
}

export function toVersionsAnswer({ from, to, versions, ...rest }: CountedVersions): VersionsAnswer {
  return {
    ...rest,
    ...{ from: iso(from), to: iso(to) },
    versions: versions.map(({ first, last, ...version }) => ({ ...version, first: iso(first), last: iso(last) })),
  };
}
