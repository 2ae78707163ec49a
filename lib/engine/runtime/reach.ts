import type { ChainLink } from "../planning/port.ts";
import type { HistoryEntry, HistoryRange, StoredChain } from "../turn.ts";
import type { Runner } from "./runner.ts";

/** How a turn's next request reaches what was said: what it goes on from, and what of the messages is still to be told. */
export interface Reach {
  /** Null where the provider keeps nothing. */
  link: ChainLink | null;
  messages: readonly HistoryEntry[];
}

/** Where the next request goes on (D7). `messages` is all that was said, the message that is answered last. */
export async function reachOf(run: Runner, messages: readonly HistoryEntry[]): Promise<Reach> {
  const { state, engine } = run;
  const { chain, conversation_id, agent_id, settings } = state;
  if (settings.history?.source === "prompt") return { link: null, messages };
  const { link, told } = chain;
  if (link) return { link, messages: told ? untold(messages, told) : messages };
  const isAlone = !chain.isLost && !isAwaited(run);
  const stored = isAlone ? ((await engine.ports.dialog?.recall(conversation_id)) ?? null) : null;
  if (!stored || stored.agent_id !== agent_id || !leadsTo(stored, messages))
    return { link: { previous_response_id: null, ...NOTHING }, messages };
  const since = untold(messages, stored).filter(({ run_id }) => run_id !== stored.run_id);
  return { link: { previous_response_id: stored.response_id, ...NOTHING }, messages: since };
}

function untold(messages: readonly HistoryEntry[], { answers, until }: HistoryRange): HistoryEntry[] {
  return messages.filter(({ seq, role }) => seq > (role === "user" ? answers : until));
}

/** How much a model knows that is told these messages, of which it answers the last; null where there are none. */
export function toldWith(messages: readonly HistoryEntry[]): HistoryRange | null {
  const answers = messages.at(-1)?.seq;
  if (answers === undefined) return null;
  return { answers, until: messages.reduce((newest, { seq }) => Math.max(newest, seq), answers) };
}

const NOTHING: Pick<ChainLink, "outputs" | "known"> = { outputs: [], known: new Set() };

/** Another run of the conversation waits for a person: what it will have done is in no chain. */
function isAwaited({ engine, state: { id, conversation_id } }: Runner): boolean {
  return [...engine.runners.values()].some(
    ({ parent, state }) =>
      parent === null && state.id !== id && state.conversation_id === conversation_id && state.status === "waiting",
  );
}

/** It ends in what was said, and no other turn's agent has spoken since: of that turn's doings it has nothing. */
function leadsTo({ until, run_id }: StoredChain, messages: readonly HistoryEntry[]): boolean {
  return (
    messages.some(({ seq }) => seq === until) &&
    !messages.some((message) => message.seq > until && isAnswerOfAnother(message, run_id))
  );
}

function isAnswerOfAnother(message: HistoryEntry, runId: string): boolean {
  return message.role === "assistant" && message.run_id !== null && message.run_id !== runId;
}
