import { randomUUIDv7 } from "node:crypto";
import type { NewEvent } from "../../../db/repositories.ts";
import { createEngine } from "../../engine/create-engine.ts";
import type { Engine, RunRequest } from "../../engine/engine.ts";
import { type Memory, UnreadableMemory } from "../../engine/memory.ts";
import type { Model } from "../../engine/model.ts";
import type { Allowance, Clock, EngineLogger } from "../../engine/ports.ts";
import type { HistorySettings, Prompts } from "../../engine/prompt.ts";
import type { DelegateRegistry } from "../../engine/tools/delegate.ts";
import type { ToolRegistry } from "../../engine/tools/tools.ts";
import type { HistoryEntry, Speech } from "../../engine/turn.ts";
import type { SchemaChecker } from "../../plan/schema/schema-checker.ts";
import { totalsOf } from "../../session/compare/totals.ts";
import { isKnown, type SessionEvent } from "../../session/event.ts";
import type { Json } from "../../session/json/json.ts";
import type { Locale } from "../../session/locale.ts";
import { emptySession, fold } from "../../session/reducer/reducer.ts";
import { recordedSteps, type SuiteCase, type Taken } from "../case.ts";
import { differenceOf } from "../difference.ts";
import { checkExpectations } from "../expectations.ts";
import { RecordedAnswers, type UnrecordedRule } from "../recorded-answers.ts";
import { stateOf } from "../save-case.ts";
import { stepsOf } from "../steps.ts";
import { type AnsweredCall, answeredBy, firstDifference, type TryResult, tokensOf } from "../try-result.ts";
import { answeredTools } from "./answered-tools.ts";
import { type Scorers, scoreTurns, type TryScores } from "./score-turns.ts";
import { TryJournal } from "./try-journal.ts";

/** The definition that a case is tried with. */
export interface TriedAgent {
  id: string;
  instructions: string;
  /** The tools that it may use; null for all. */
  tools: string[] | null;
  history: HistorySettings;
  timezone: string | null;
  max_iterations: number | null;
  locale: Locale;
}

/** What a try uses of the server. */
export interface TryPorts {
  tools: ToolRegistry;
  delegates: DelegateRegistry;
  model: Model;
  memory: Memory | null;
  prompts: Prompts;
  speech: Speech;
  checker: SchemaChecker;
  clock: Clock;
  allowance: Allowance | null;
  random(): number;
  logger: EngineLogger;
  scorers: Scorers;
  /** Keeps events of the try's conversation, in order. */
  keep(events: NewEvent[]): Promise<void>;
}

/** How a try goes. */
export interface TrySettings {
  conversation_id: string;
  rule: UnrecordedRule;
  /** The longest time of a turn, ms. */
  time_ms: number;
  signal: AbortSignal;
}

/** Whose turns they are: the case's user is not known, and nobody else has this name's memory. */
const USER = "suite";
/** Who approves what was asked of people when the case was recorded. */
const APPROVER = "operator:suite";

/**
 * Tries a case: the agent is given what users said, one message after the other, and its tools answer from the record. It runs in
 * an engine of its own, whose tools are all replaced, so that nothing outside is changed and no restart resumes it. Calls that
 * need approval are approved; the log of the try says so. Rejects only with the signal's reason: a try that breaks off is
 * `stopped`.
 */
export async function runTry(
  tried: SuiteCase,
  agent: TriedAgent,
  settings: TrySettings,
  ports: TryPorts,
): Promise<TryResult> {
  const { conversation_id, rule, time_ms, signal } = settings;
  const journal = new TryJournal(memoryOf(tried, ports.memory), ports.keep);
  const recorded = recordedSteps(tried);
  const calls = recorded.filter((step) => step.kind === "call");
  const answers: AnsweredCall[] = [];
  let stopped: string | null = null;
  const tools = answeredTools({
    tools: ports.tools,
    named: [...new Set(calls.map(({ tool }) => tool))],
    answers: new RecordedAnswers(calls, rule),
    onAnswer: (answer) => answers.push(answer),
    onStop: (reason) => {
      stopped ??= reason;
    },
  });
  const engine = createEngine({
    ...ports,
    tools,
    journal,
    talker: ports.model,
    ownership: null,
    plan_threads: null,
    dialog: {
      speech: ports.speech,
      recall: async () => null,
      before: async (_id, messageId) => historyOf(journal.events, messageId),
      chain: () => ({ agent_id: `dialog:${conversation_id}`, key: "response_id", value: null }),
    },
    director: null,
    drafts: null,
    isolation: null,
    runs_at_once: 1,
  });
  try {
    await journal.append(beginning(tried, agent, conversation_id, ports.clock));
    for (const { message } of tried.turns) {
      signal.throwIfAborted();
      if (stopped !== null) break;
      await takeTurn(engine, journal, turnOf(agent, conversation_id, message, time_ms), signal);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    stopped ??= error instanceof Error ? error.message : String(error);
  } finally {
    await engine.stop();
  }
  const scored = stopped === null ? await scoresOf(tried, journal.events, signal, ports) : UNSCORED;
  return resultOf(tried, journal.events, { conversation_id, stopped: stopped ?? scored.failure, answers, scored });
}

const UNSCORED: TryScores = { scores: [], judged: [], failure: null };

/** The scores that a case asks for; nobody is asked for others. */
async function scoresOf(
  { expected }: SuiteCase,
  events: readonly SessionEvent[],
  signal: AbortSignal,
  { scorers, clock }: TryPorts,
): Promise<TryScores> {
  const names = new Set(expected.flatMap((one) => (one.kind === "score" ? [one.name] : [])));
  return names.size === 0 ? UNSCORED : await scoreTurns(names, events, scorers, { clock, signal });
}

/** The user's memory as the case has it; null where it is of another agent, whose memory has another form. */
function memoryOf({ before }: SuiteCase, memory: Memory | null): Json {
  if (memory === null || before.memory === null) return null;
  try {
    return memory.read(USER, before.memory);
  } catch (error) {
    if (error instanceof UnreadableMemory) return null;
    throw error;
  }
}

function resultOf(
  tried: SuiteCase,
  events: readonly SessionEvent[],
  {
    conversation_id,
    stopped,
    answers,
    scored: { scores, judged },
  }: { conversation_id: string; stopped: string | null; answers: AnsweredCall[]; scored: TryScores },
): TryResult {
  const session = fold(emptySession(conversation_id), events);
  const taken: Taken = { usage: [...session.usage], duration: totalsOf(session, 0).duration };
  const recorded = recordedSteps(tried);
  const did = {
    steps: stepsOf(events.slice(tried.before.messages.length + 1)),
    state: stateOf(session),
    taken,
  };
  const checks = checkExpectations(tried.expected, { ...did, tokens: tokensOf(taken), scores }, recorded);
  const difference = differenceOf({ steps: recorded, state: tried.state, taken: tried.taken }, did);
  const failed = [...session.runs.values()].find(
    ({ status, parent_run_id }) => status === "failed" && parent_run_id === null,
  );
  const error = failed?.error ?? null;
  const why = typeof error === "string" ? error : (error?.message ?? null);
  const isPassed = error === null && checks.every(({ holds }) => holds);
  return {
    conversation_id,
    outcome: stopped !== null ? "stopped" : isPassed ? "passed" : "failed",
    reason: stopped ?? why,
    checks,
    answered: answeredBy(answers),
    first: firstDifference(difference),
    differing: difference.steps.filter(({ kind }) => kind !== "same").length,
    taken,
    judged,
    answers,
    difference,
  };
}

/** The conversation as it stood, in events of its own: it is marked as a try. */
function beginning(tried: SuiteCase, agent: TriedAgent, conversationId: string, clock: Clock): NewEvent[] {
  const at = new Date(clock.now()).toISOString();
  const base = {
    conversation_id: conversationId,
    agent_id: null,
    run_id: null,
    parent_run_id: null,
    caused_by: null,
    occurred_at: at,
  };
  const metadata = { suite_case: tried.id };
  const created = { title: tried.title, channel: TRY_CHANNEL, agent_id: agent.id, metadata };
  return [
    { ...base, id: randomUUIDv7(), type: "conversation.created", actor: "system", payload: created },
    ...tried.before.messages.map(({ role, content }): NewEvent => {
      const id = randomUUIDv7();
      const actor = role === "user" ? "user" : `agent:${agent.id}`;
      return { ...base, id, type: "message.created", actor, payload: { message_id: id, role, content } };
    }),
  ];
}

/** The channel of conversations that are tries. */
export const TRY_CHANNEL = "suite";

function turnOf(agent: TriedAgent, conversation_id: string, content: string, time_ms: number): RunRequest {
  return {
    ...{ plan: null, tools: [], context: [], confirm: [], conversation_id, concurrency: null, output_schema: null },
    // Nothing outside is called, whatever the agent may do with users.
    mode: "execute",
    user_id: USER,
    agent_id: agent.id,
    max_iterations: agent.max_iterations,
    budget: { time_ms },
    turn: {
      run_id: randomUUIDv7(),
      message: { id: randomUUIDv7(), content },
      instructions: agent.instructions,
      history: agent.history,
      timezone: agent.timezone,
      household_id: null,
      tools: agent.tools,
      locale: agent.locale,
    },
  };
}

/** Takes one turn to its end; what waits for approval is approved. */
async function takeTurn(engine: Engine, journal: TryJournal, turn: RunRequest, signal: AbortSignal): Promise<void> {
  const { run_id } = await engine.start(turn);
  const cancel = () => void engine.cancel(run_id, "system").catch(() => undefined);
  signal.addEventListener("abort", cancel);
  try {
    for (let waits = true; waits; ) {
      await engine.settled(run_id);
      const open = openConfirmations(journal.events);
      waits = open.length > 0;
      for (const { id, run } of open)
        await engine.decide(id, run, {
          decision: "approve",
          reason: null,
          action: null,
          result: undefined,
          actor: APPROVER,
        });
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

function openConfirmations(events: readonly SessionEvent[]): { id: string; run: string }[] {
  const open = new Map<string, string>();
  for (const event of events) {
    if (!isKnown(event) || !event.type.startsWith("confirmation.")) continue;
    if (event.type === "confirmation.requested") open.set(event.payload.confirmation_id, event.run_id ?? "");
    else if (event.type === "confirmation.approved" || event.type === "confirmation.denied")
      open.delete(event.payload.confirmation_id);
  }
  return [...open].map(([id, run]) => ({ id, run }));
}

/** What was said up to a message, as the model gets it. */
function historyOf(events: readonly SessionEvent[], messageId: string): HistoryEntry[] {
  const said: HistoryEntry[] = [];
  for (const event of events) {
    if (!isKnown(event) || event.type !== "message.created") continue;
    const { message_id: id, role, content } = event.payload;
    said.push({
      ...{ id, role, content, name: null, at: event.occurred_at, important: false, relevant: true, call_id: null },
      seq: event.seq,
      run_id: event.run_id,
    });
    if (id === messageId) break;
  }
  return said;
}
