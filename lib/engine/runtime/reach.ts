import type { ChainLink } from "../planning/port.ts";
import type { HistoryEntry, HistoryRange, StoredChain } from "../turn.ts";
import type { Runner } from "./runner.ts";

/** How a turn's next request gets the conversation: the stored response that it continues, and the messages still to send. */
export interface Reach {
  /** Null if the provider stores nothing. */
  link: ChainLink | null;
  messages: readonly HistoryEntry[];
}

/** Finds where the next request continues (D7). `messages`: the conversation, the answered message last. */
export async function reachOf(run: Runner, messages: readonly HistoryEntry[]): Promise<Reach> {
  const { state, engine } = run;
  const { chain, conversation_id, agent_id, settings } = state;
  if (settings.history?.source === "prompt" || engine.talker?.stateless) return { link: null, messages };
  const { link, told } = chain;
  if (link) return { link, messages: told ? untold(messages, told) : messages };
  const isAlone = !chain.isLost && !(await isAwaited(run));
  const stored = isAlone ? ((await engine.ports.dialog?.recall(conversation_id)) ?? null) : null;
  if (!stored || stored.agent_id !== agent_id || !leadsTo(stored, messages))
    return { link: { previous_response_id: null, ...NOTHING }, messages };
  const since = untold(messages, stored).filter(({ run_id }) => run_id !== stored.run_id);
  return { link: { previous_response_id: stored.response_id, ...NOTHING }, messages: since };
}

function untold(messages: readonly HistoryEntry[], { answers, until }: HistoryRange): HistoryEntry[] {
  return messages.filter(({ seq, role }) => seq > (role === "user" ? answers : until));
}

/** Up to which messages a model has the conversation after these, the answered one last; null without messages. */
export function toldWith(messages: readonly HistoryEntry[]): HistoryRange | null {
  const answers = messages.at(-1)?.seq;
  if (answers === undefined) return null;
  return { answers, until: messages.reduce((newest, { seq }) => Math.max(newest, seq), answers) };
}

const NOTHING: Pick<ChainLink, "outputs" | "known"> = { outputs: [], known: new Set() };

/** Another run of the conversation waits for an approval: its later actions are in no chain. */
async function isAwaited({ engine, state: { id, conversation_id } }: Runner): Promise<boolean> {
  if (engine.ports.ownership) return engine.ports.ownership.awaits(conversation_id, id);
  return [...engine.runners.values()].some(
    ({ parent, state }) =>
      parent === null && state.id !== id && state.conversation_id === conversation_id && state.status === "waiting",
  );
}

/** The chain ends in the conversation, and no other turn's agent has sent a message since: it would not have that turn. */
function leadsTo({ until, run_id }: StoredChain, messages: readonly HistoryEntry[]): boolean {
  return (
    messages.some(({ seq }) => seq === until) &&
    !messages.some((message) => message.seq > until && isAnswerOfAnother(message, run_id))
  );
}

function isAnswerOfAnother(message: HistoryEntry, runId: string): boolean {
  return message.role === "assistant" && message.run_id !== null && message.run_id !== runId;
}
