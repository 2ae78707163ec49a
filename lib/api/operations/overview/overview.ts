import { z } from "zod";
import { LONGEST_PERIOD_MS, type OverviewQuery } from "../../../rollup/overview.ts";
import { hourOf } from "../../../rollup/place.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { instant } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import {
  overviewAnswer,
  toOverviewAnswer,
  toolAnswer,
  toolsAnswer,
  toToolAnswer,
  toToolsAnswer,
  toVersionsAnswer,
  versionsAnswer,
} from "./overview-answer.ts";

const WEEK_MS = 7 * 24 * 3_600_000;

const name = z.string().min(1, "must not be empty").max(200);

const query = z.strictObject({
  from: instant.optional().describe("The beginning of the period, to the hour; a week before its end by default."),
  to: instant.optional().describe("The end of the period; now by default."),
  agent: name.optional(),
  version: name.optional(),
  model: name.optional(),
  channel: name.optional(),
  stage: name.optional(),
});

/** The period and the filters of a query. Throws a `Problem` for a period that has no length, or is too long. */
export function overviewQuery({ from, to, ...filters }: z.output<typeof query>, now: number): OverviewQuery {
  const end = to === undefined ? now : Date.parse(to);
  const begin = from === undefined ? end - WEEK_MS : Date.parse(from);
  if (begin >= end) throw new Problem("invalid_input", "The period has no length: give a `to` after `from`.");
  if (hourOf(begin) === null || hourOf(end - 1) === null)
    throw new Problem("invalid_input", "The period is outside of the years 1970 to 2208, which are counted.");
  if (end - begin > LONGEST_PERIOD_MS)
    throw new Problem("invalid_input", "The period is longer than 400 days; ask for a part of it.");
  return { ...filters, from: begin, to: end };
}

/** What all conversations add up to. */
export const getOverview = operation({
  name: "getOverview",
  permission: "read",
  method: "GET",
  path: "/api/overview",
  summary:
    "Returns how many conversations, turns and calls there were in a period, how many failed or were escalated, how long they took and what they cost, by hour (up to 14 days; 7 if narrowed by `model`, `channel` or `stage` together with another) or day, beside the period before, and what changed beyond chance. Forks and simulated runs are not counted.",
  query,
  answers: { 200: { description: "The overview.", schema: overviewAnswer } },
  run: async ({ query }, { rollup, prices }) =>
    answerJson(toOverviewAnswer(await rollup.overview(overviewQuery(query, Date.now()), prices))),
});

/** All tools with their calls. */
export const getToolCalls = operation({
  name: "getToolCalls",
  permission: "read",
  method: "GET",
  path: "/api/overview/tools",
  summary: "Returns the calls of each tool in a period: how many, how many failed, and how long they took.",
  query,
  answers: { 200: { description: "The tools, the most used first.", schema: toolsAnswer } },
  async run({ query }, { rollup }) {
    const asked = overviewQuery(query, Date.now());
    return answerJson(toToolsAnswer(await rollup.tools(asked), asked));
  },
});

/** One tool. */
export const getToolReport = operation({
  name: "getToolReport",
  permission: "read",
  method: "GET",
  path: "/api/overview/tools/{name}",
  summary:
    "Returns the calls of a tool in a period: how many, how long they took, who made them, the slowest, and their errors by kind. Errors are of the same kind if code and message are equal but for ids, numbers, dates and quoted texts.",
  params: z.object({ name }),
  query,
  answers: {
    200: { description: "The tool.", schema: toolAnswer },
    404: refusal("No call of this tool was ever recorded."),
  },
  async run({ params, query }, { rollup }) {
    const report = await rollup.tool(params.name, overviewQuery(query, Date.now()));
    if (!report)
      throw new Problem(
        "not_found",
        `No call of the tool ${params.name} was recorded; /api/overview/tools lists those that were.`,
      );
    return answerJson(toToolAnswer(report));
  },
});

/** The version asked for that the agent did not have in the period; undefined: it had both. */
export function unknownVersion(
  { versions }: { versions: readonly { version: string }[] },
  { before, after }: { before?: string | undefined; after?: string | undefined },
): string | undefined {
  return [before, after].find((name) => name && !versions.some(({ version }) => version === name));
}

/** Two versions of an agent. */
export const compareVersions = operation({
  name: "compareVersions",
  permission: "read",
  method: "GET",
  path: "/api/overview/versions",
  summary:
    "Compares two versions of an agent in a period: how often their conversations fail and are escalated, how long turns take and what they cost, each with its 95 % interval, which change is beyond chance, and which conversations of the new version the one before hardly ever had.",
  query: z.strictObject({
    ...{ from: query.shape.from, to: query.shape.to },
    agent: name,
    before: name.optional().describe("The version to compare with; by default the one that came before."),
    after: name.optional().describe("The version that is compared; by default the newest."),
  }),
  answers: {
    200: { description: "The versions.", schema: versionsAnswer },
    404: refusal("The agent did not have such a version in the period."),
  },
  async run({ query: { agent, before, after, ...period } }, { rollup, prices }) {
    const asked = { ...overviewQuery(period, Date.now()), agent, before, after };
    const answer = await rollup.versions(asked, prices);
    const unknown = unknownVersion(answer, { before, after });
    if (unknown !== undefined)
      throw new Problem(
        "not_found",
        `${agent} had no version ${unknown} in this period; leave it out to see those that it had, or ask for a longer period.`,
      );
    return answerJson(toVersionsAnswer(answer));
  },
});
