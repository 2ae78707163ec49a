import { z } from "zod";
import { agreementsOf } from "../../../scores/agreement.ts";
import { scoreValue } from "../../../scores/score-schema.ts";
import { answerJson } from "../../answers/answer.ts";
import { instant } from "../../fields.ts";
import { operation } from "../../operation.ts";

const USUAL_MS = 90 * 86_400_000;

const pair = z.object({
  conversation_id: z.string(),
  title: z.string().nullable(),
  person: scoreValue,
  rater: scoreValue,
});

export const agreementAnswer = z.object({
  name: z.string(),
  rater: z.string().nullable().describe("`judge:careful`, `key:ci`; null: a rule of this server."),
  kind: z.enum(["number", "boolean", "category"]),
  pairs: z.int().describe("Conversations that a person and the rater have scored."),
  agreed: z
    .object({ share: z.number(), from: z.number(), to: z.number() })
    .describe("The share in which they agree, with its 95 % interval; numbers agree within a tenth of their range."),
  kappa: z
    .number()
    .nullable()
    .describe(
      "Cohen's kappa, of numbers with quadratic weights: 1 if they always agree, 0 as often as by chance. Null where all said one thing.",
    ),
  disagreeing: z.array(pair).describe("Up to 50, those that differ most first."),
});

/** How far judges, rules and programs agree with people. */
export const getAgreement = operation({
  name: "getAgreement",
  permission: "read",
  method: "GET",
  path: "/api/scores/agreement",
  summary:
    "Returns how far judges, rules and programs agree with people who scored the same conversations under the same name: the share, Cohen's kappa, and where they disagree. Of several scores in a conversation the newest of each counts.",
  query: z.strictObject({ from: instant.optional().describe("Scores since then; 90 days by default.") }),
  answers: { 200: { description: "By name and rater.", schema: z.object({ items: z.array(agreementAnswer) }) } },
  async run({ query: { from } }, { scores }) {
    const since = from === undefined ? Date.now() - USUAL_MS : Date.parse(from);
    return answerJson({ items: agreementsOf(await scores.reviewed(since)) });
  },
});
