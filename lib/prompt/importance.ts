import type { HistoryMessage, Role } from "./prompt.ts";

/** Not what stands in an address: `/find?text=…`. */
const QUESTION = /[?？؟](?![\p{L}\p{N}_%&=])/u;

/** Who is to answer a question of this role. */
const ANSWERS: Partial<Record<Role, readonly Role[]>> = {
  user: ["assistant", "operator"],
  assistant: ["user"],
  operator: ["user"],
};

/**
 * Which messages stay longest when a history is cut, by their places (H4): those marked important, the first of the
 * user, questions after which the other side has said nothing, and the results of calls that the state has.
 */
export function importantOf(messages: readonly HistoryMessage[], stateCalls: readonly string[]): ReadonlySet<number> {
  const calls = new Set(stateCalls);
  const firstOfUser = messages.findIndex(({ role }) => role === "user");
  const important = new Set(unansweredOf(messages));
  messages.forEach((message, place) => {
    const inState = message.role === "tool" && message.call_id !== null && calls.has(message.call_id);
    if (message.important || inState || place === firstOfUser) important.add(place);
  });
  return important;
}

function unansweredOf(messages: readonly HistoryMessage[]): number[] {
  const unanswered: number[] = [];
  const since = new Set<Role>();
  for (let place = messages.length - 1; place >= 0; place--) {
    const message = messages[place];
    if (!message) continue;
    const answers = ANSWERS[message.role];
    if (answers && !answers.some((role) => since.has(role)) && QUESTION.test(message.content)) unanswered.push(place);
    since.add(message.role);
    // Both sides have spoken since: everything before is answered.
    if (since.has("user") && (since.has("assistant") || since.has("operator"))) break;
  }
  return unanswered;
}
