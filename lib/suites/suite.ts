import { z } from "zod";
import { judge, MOST_JUDGES } from "../scores/judge.ts";
import { identifier } from "../session/events/catalogue.ts";
import { jsonObject } from "../session/json/json-schema.ts";
import { MOST_CASES, suiteCase } from "./case.ts";

/** A tool as it was defined when a case was saved: its model reads the same of it. It is never called. */
const suiteTool = z.strictObject({
  name: identifier,
  description: z.string().max(10_000).default(""),
  schema: jsonObject,
  requires_confirmation: z.boolean().default(false),
  effect: z.enum(["read", "create", "change"]).optional(),
});

/** A suite, as it is kept in a file beside the agent that it tests. */
export const suite = z
  .strictObject({
    name: identifier,
    tools: z.array(suiteTool).max(1_000).default([]),
    /** Those that may score tries, as `GET /api/judges` lists them. */
    judges: z.array(judge).max(MOST_JUDGES).default([]),
    cases: z.array(suiteCase).min(1, "must have a case").max(MOST_CASES),
  })
  .superRefine(({ cases }, context) => {
    const ids = cases.map(({ id }) => id);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) context.addIssue({ code: "custom", path: ["cases"], message: `has two cases ${twice}` });
  });
export type Suite = z.infer<typeof suite>;

export type SuiteTool = z.infer<typeof suiteTool>;

/** Tools that were saved with cases, from JSON lists of them: of several with one name the first. Throws for anything else. */
export function readTools(lists: readonly string[]): SuiteTool[] {
  const all = lists.flatMap((list) => z.array(suiteTool).parse(JSON.parse(list)));
  return [...new Map(all.toReversed().map((tool) => [tool.name, tool])).values()].reverse();
}
