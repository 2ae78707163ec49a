import type { Services } from "../../../server/services.ts";
import { caseIdOf } from "../../../suites/case-id.ts";
import type { CaseText } from "../../../suites/case-work.ts";
import type { Expectation } from "../../../suites/expectations.ts";
import type { Suite } from "../../../suites/suite.ts";
import { unknownConversation } from "../../answers/answer.ts";
import { Problem } from "../../problem.ts";

/** Longer sessions are no tests. */
const MOST_EVENTS = 5_000;

/** What a session is saved as. */
interface Saving {
  /** The case begins with the first message of a user after this step. */
  step: number;
  title: string | undefined;
  tags?: string[];
  expected?: Expectation[] | undefined;
  /** It is not stored, but goes into a suite's file. */
  isFile: boolean;
}

/** A session as a case, and the definitions of its tools. Throws a `Problem` if it does not exist or cannot be a case. */
export async function sessionCase(
  id: string,
  { step, title, tags = [], expected, isFile }: Saving,
  { conversations, caseWork, tools }: Pick<Services, "conversations" | "caseWork" | "tools">,
): Promise<{ saved: CaseText; tools: Suite["tools"] }> {
  const conversation = await conversations.get(id);
  if (!conversation) throw unknownConversation(id);
  if (conversation.last_seq > MOST_EVENTS)
    throw new Problem(
      "conflict",
      `The session ${id} is too long for a case: at most ${MOST_EVENTS.toLocaleString("en")} steps. Fork it, or choose another.`,
    );
  const done = await caseWork.do({
    ...{ is: "save", isFile },
    saving: {
      ...{ id: caseIdOf(id, step), title: title ?? conversation.title, tags },
      ...{ conversation_id: id, seq: step, expected: expected ?? null },
    },
  });
  if (!done.ok) throw new Problem("conflict", `The session ${id} cannot be saved as a case. ${done.reason}.`);
  return { saved: done.case, tools: definitionsOf(done.case.tools, tools) };
}

/** The definitions of tools that do not come with every server, as this one has them now, without their addresses. */
function definitionsOf(names: readonly string[], tools: Services["tools"]): Suite["tools"] {
  return names.flatMap((name) => {
    const tool = tools.find(name);
    if (!tool || tool.source === "built-in") return [];
    const { description, schema, requires_confirmation } = tool;
    return [{ name, description, schema, requires_confirmation }];
  });
}
