import { z } from "zod";
import type { Events } from "../../../../db/repositories.ts";
import type { Services } from "../../../server/services.ts";
import type { SessionEvent } from "../../../session/event.ts";
import { recordedSteps, type SuiteCase } from "../../../suites/case.ts";
import { saveCase } from "../../../suites/save-case.ts";
import { type Suite, suite } from "../../../suites/suite.ts";
import { unknownConversation } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { auditReading } from "../../audited.ts";
import { conversationParams, numberParameter } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";

/** Longer sessions are no tests, and reducing them would hold up other requests: these take about 50 ms. */
const MOST_EVENTS = 5_000;
const EVENTS_A_PAGE = 500;
/** Characters of all payloads. */
const MOST_CHARACTERS = 20_000_000;

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
  async run({ params: { id }, query, audit }, { conversations, events, tools, logger }) {
    const conversation = await conversations.get(id);
    if (!conversation) throw unknownConversation(id);
    const saved = saveCase({
      ...{
        id: `${id.slice(0, LONGEST_ID)}:${query.step}`,
        title: query.title ?? conversation.title,
        tags: [],
        conversation_id: id,
        seq: query.step,
        expected: null,
      },
      events: await allEvents(id, conversation.last_seq, events),
    });
    if (!saved.ok) throw new Problem("conflict", `The session ${id} cannot be saved as a case. ${saved.reason}.`);
    const action = {
      action: "conversation.exported",
      target: `conversation:${id}`,
      after: { step: query.step },
    } as const;
    await auditReading(action, audit, { logger });
    const name = saved.case.source.conversation_id.replaceAll(/[^\w.-]/g, "_");
    const made: Suite = {
      name: name.slice(0, LONGEST_ID),
      tools: definitionsOf(saved.case, tools),
      cases: [saved.case],
    };
    return new Response(`${JSON.stringify(made, null, 2)}\n`, {
      headers: {
        "content-type": "application/json",
        "content-disposition": `attachment; filename="${name}.suite.json"`,
        "cache-control": "no-store",
      },
    });
  },
});

/** Of a case: the step follows it. */
const LONGEST_ID = 180;

async function allEvents(id: string, lastSeq: number, stored: Pick<Events, "list">): Promise<SessionEvent[]> {
  const tooLong = () =>
    new Problem(
      "conflict",
      `The session ${id} is too long for a case: at most ${MOST_EVENTS.toLocaleString("en")} steps. Fork it, or choose another.`,
    );
  if (lastSeq > MOST_EVENTS) throw tooLong();
  const events: SessionEvent[] = [];
  let size = 0;
  for (;;) {
    const page = await stored.list(id, { after: events.at(-1)?.seq ?? 0, limit: EVENTS_A_PAGE });
    if (page.length === 0) return events;
    events.push(...page);
    size += page.reduce((sum, { payload }) => sum + JSON.stringify(payload).length, 0);
    if (size > MOST_CHARACTERS) throw tooLong();
  }
}

/** The definitions of a case's tools that do not come with every server, as this one has them now, without their addresses. */
function definitionsOf(saved: SuiteCase, tools: Services["tools"]): Suite["tools"] {
  const named = new Set(recordedSteps(saved).flatMap((step) => (step.kind === "call" ? [step.tool] : [])));
  return [...named].sort().flatMap((name) => {
    const tool = tools.find(name);
    if (!tool || tool.source === "built-in") return [];
    const { description, schema, requires_confirmation } = tool;
    return [{ name, description, schema, requires_confirmation }];
  });
}
