import type { HistoryMessage, Role } from "../prompt.ts";

/** Not in an address: `/find?text=…`. */
const QUESTION = /[?？؟](?![\p{L}\p{N}_%&=])/u;

/** Who answers a question of this role. */
const ANSWERS: Partial<Record<Role, readonly Role[]>> = {
  user: ["assistant", "operator"],
  assistant: ["user"],
  operator: ["user"],
};

/**
 * The indexes of messages that are kept longest when a history is cut (H4): those marked important, the user's first,
 * unanswered questions, and results of calls that are in the state.
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
    // Both sides have answered since.
    if (since.has("user") && (since.has("assistant") || since.has("operator"))) break;
  }
  return unanswered;
}
