import { z } from "zod";
import { type Suite, suite } from "../../../suites/suite.ts";
import { refusal } from "../../answers/answers.ts";
import { auditReading } from "../../audited.ts";
import { conversationParams, numberParameter } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { sessionCase } from "../suites/session-case.ts";

const LONGEST_NAME = 180;

/** Saves a session as a case of a suite. */
export const exportCase = operation({
  name: "exportCase",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/case",
  summary:
    "Returns a session as a suite with one case: what users said, the recorded answers, and the definitions of its tools. Secrets, cards, e-mail addresses and phone numbers are replaced.",
  params: conversationParams,
  query: z.strictObject({
    step: numberParameter(0).default(0).describe("The case begins with the first user's message after this step."),
    title: z.string().trim().min(1).max(500).optional().describe("By default the conversation's."),
  }),
  answers: {
    200: { description: "The suite.", schema: suite },
    404: refusal("The conversation does not exist."),
    409: refusal("The session cannot be a case."),
  },
  async run({ params: { id }, query: { step, title }, audit }, { conversations, caseWork, tools, logger }) {
    const made = await sessionCase(id, { step, title, isFile: true }, { conversations, caseWork, tools });
    const action = {
      action: "conversation.exported",
      target: `conversation:${id}`,
      after: { step },
    } as const;
    await auditReading(action, audit, { logger });
    const name = made.saved.conversation_id.replaceAll(/[^\w.-]/g, "_");
    const file: Omit<Suite, "cases"> = {
      name: name.slice(0, LONGEST_NAME).toWellFormed(),
      tools: made.tools,
      judges: [],
    };
    const before = JSON.stringify(file, null, 2).slice(0, -"\n}".length);
    return new Response(`${before},\n  "cases": ${made.saved.content}\n}\n`, {
      headers: {
        "content-type": "application/json",
        "content-disposition": `attachment; filename="${name}.suite.json"`,
        "cache-control": "no-store",
      },
    });
  },
});
