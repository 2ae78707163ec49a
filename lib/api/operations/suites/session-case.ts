import type { Events } from "../../../../db/repositories.ts";
import type { Services } from "../../../server/services.ts";
import type { SessionEvent } from "../../../session/event.ts";
import { recordedSteps, type SuiteCase } from "../../../suites/case.ts";
import { caseIdOf } from "../../../suites/case-id.ts";
import type { Expectation } from "../../../suites/expectations.ts";
import { saveCase } from "../../../suites/save-case.ts";
import type { Suite } from "../../../suites/suite.ts";
import { unknownConversation } from "../../answers/answer.ts";
import { Problem } from "../../problem.ts";

/** Longer sessions are no tests, and reducing them would hold up other requests: these take about 50 ms. */
const MOST_EVENTS = 5_000;
const EVENTS_A_PAGE = 500;
/** Characters of all payloads. */
const MOST_CHARACTERS = 20_000_000;

/** What a session is saved as. */
interface Saving {
  /** The case begins with the first message of a user after this step. */
  step: number;
  title: string | undefined;
  tags?: string[];
  expected?: Expectation[] | undefined;
}

/** A session as a case, and the definitions of its tools. Throws a `Problem` if it does not exist or cannot be a case. */
export async function sessionCase(
  id: string,
  { step, title, tags = [], expected }: Saving,
  { conversations, events, tools }: Pick<Services, "conversations" | "events" | "tools">,
): Promise<{ saved: SuiteCase; tools: Suite["tools"] }> {
  const conversation = await conversations.get(id);
  if (!conversation) throw unknownConversation(id);
  const saved = saveCase({
    ...{ id: caseIdOf(id, step), title: title ?? conversation.title, tags },
    ...{ conversation_id: id, seq: step, expected: expected ?? null },
    events: await allEvents(id, conversation.last_seq, events),
  });
  if (!saved.ok) throw new Problem("conflict", `The session ${id} cannot be saved as a case. ${saved.reason}.`);
  return { saved: saved.case, tools: definitionsOf(saved.case, tools) };
}

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
