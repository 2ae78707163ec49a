import { instancesOf, messageOf, printContext } from "../../../plan/context.ts";
import type { Context } from "../../../plan/message.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import type { Budget, CallPlace } from "../../engine.ts";
import { toJson } from "../../plain-json.ts";
import type { CheckedPlan } from "../../plan-reading.ts";
import type { Run } from "../run.ts";
import { placeOf } from "../state/run-call.ts";
import { printHistory, type RunSettings, type Speaking } from "../state/run-settings.ts";
import { begin } from "./direct.ts";
import { propose } from "./propose.ts";
import { watchTimeBudget } from "./request-termination.ts";
import { enterLine } from "./turn-place.ts";
import { emitUserMessage } from "./user-messages.ts";

/** How a run starts. */
export interface Beginning extends Omit<RunSettings, "delegate" | keyof Speaking> {
  /** A new conversation is created for it. */
  isNewConversation: boolean;
  /** Null: a model makes the plan. `checked` if it was validated already. */
  plan: { calls: JsonObject[]; output: Json | undefined; checked: (CheckedPlan & { outline: Json }) | null } | null;
  /** Of a turn: the message that it answers, recorded with it; null if there is none. */
  message: { id: string; content: string } | null;
  /** The run of the same fork whose plan it continues (E9). */
  continues?: string | undefined;
  agent_version?: string | undefined;
  /** Of a delegate's run: the call that it executes. */
  delegate: { name: string; call: CallPlace; input: JsonObject; caused_by: string | null } | null;
}

/** Records how a run starts, with everything needed to continue after a restart (P23), and its context. */
export function beginRun(run: Run, beginning: Beginning, queued: boolean): void {
  const { context, delegate, plan } = beginning;
  if (beginning.isNewConversation) {
    run.log.emit("conversation.created", {
      channel: "api",
      ...(plan ? { title: titleOf(plan.calls) } : {}),
      ...(beginning.user_id === null ? {} : { user_id: beginning.user_id }),
      ...(run.state.agent_id === null ? {} : { agent_id: run.state.agent_id }),
    });
  }
  const said = beginning.message && emitUserMessage(run, beginning.message, beginning.user_id);
  if (!delegate) enterLine(run, placeKeyOf({ ...run.state, settings: beginning }), !queued);
  const started = run.log.emit(
    "run.started",
    { ...settingsOf(beginning), ...(queued && { queued }) },
    { caused_by: delegate?.caused_by ?? said },
  );
  if (delegate) {
    const { name, call, input } = delegate;
    run.log.emit("delegate.started", { delegate: name, ...placeOf(call), input }, { caused_by: started });
  }
  writeInitialStates(run, context, started);
  watchTimeBudget(run);
  if (!plan) return begin(run, started);
  const iteration = run.log.emit("run.iteration", { iteration: 1 }, { caused_by: started });
  const { checked } = plan;
  propose(run, plan, checked && { ...checked, outline: () => checked.outline }, iteration);
}

/** The title of a plan's conversation: the first tools that it uses. */
function titleOf(calls: readonly JsonObject[]): string {
  const tools = [...new Set(calls.flatMap(({ _tool }) => (typeof _tool === "string" ? [_tool] : [])))];
  const title = tools.slice(0, TITLE_TOOLS).join(", ");
  return `${title.slice(0, LONGEST_TITLE)}${tools.length > TITLE_TOOLS ? " …" : ""}`;
}

const TITLE_TOOLS = 3;
const LONGEST_TITLE = 200;

/** Whose turns run one after another (M11): the user's, or the conversation's if the user is unknown. */
export function placeKeyOf({
  conversation_id,
  settings: { user_scope, answers },
}: {
  conversation_id: string;
  settings: Pick<RunSettings, "user_scope" | "answers">;
}): string | null {
  if (user_scope !== null) return `user:${user_scope}`;
  return answers === null ? null : `conversation:${conversation_id}`;
}

function settingsOf({ delegate, ...beginning }: Beginning) {
  const input = messageOf(beginning.context, "input", "")?.data;
  const instance = delegate?.call.instance ?? "";
  return {
    mode: beginning.mode,
    confirm: beginning.confirm,
    concurrency: beginning.concurrency,
    max_iterations: beginning.max_iterations,
    budget: { ...given(beginning.budget) },
    context: printContext(beginning.context),
    tools: beginning.tools.map(toJson),
    ...(beginning.allowed_tools === null ? {} : { allowed_tools: beginning.allowed_tools }),
    ...(beginning.output_schema === null ? {} : { output_schema: beginning.output_schema }),
    ...(beginning.user_id === null ? {} : { user_id: beginning.user_id }),
    ...(beginning.user_scope === beginning.user_id ? {} : { user_scope: beginning.user_scope ?? "" }),
    ...(beginning.simulated ? { simulated: true } : {}),
    ...(beginning.continues === undefined ? {} : { continues: beginning.continues }),
    ...(beginning.agent_version === undefined ? {} : { agent_version: beginning.agent_version }),
    ...(beginning.answers === null ? {} : { answers: beginning.answers, locale: beginning.locale }),
    ...(beginning.instructions === null ? {} : { instructions: beginning.instructions }),
    ...(beginning.directed ? { directed: true } : {}),
    ...(beginning.history === null ? {} : { history: printHistory(beginning.history) }),
    ...(beginning.timezone === null ? {} : { timezone: beginning.timezone }),
    ...(beginning.household_id === null ? {} : { household_id: beginning.household_id }),
    ...(input === undefined ? {} : { input }),
    ...(delegate ? { delegate: delegate.name, call_id: delegate.call.call_id } : {}),
    ...(instance === "" ? {} : { instance }),
  };
}

function given({ calls, tokens, time_ms }: Budget): { calls?: number; tokens?: number; time_ms?: number } {
  return {
    ...(calls === undefined ? {} : { calls }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(time_ms === undefined ? {} : { time_ms }),
  };
}

/** Records the initial state: the global one, and each instance's own, even if empty (P25). */
function writeInitialStates(run: Run, context: Context, caused_by: string): void {
  const global = messageOf(context, "state", "")?.data;
  if (isJsonObject(global)) run.log.emit("state.written", { path: "†state", value: global }, { caused_by });
  for (const instance of instancesOf(context)) {
    if (instance === "") continue;
    const own = messageOf(context, "state", instance)?.data;
    const value = isJsonObject(own) ? own : {};
    run.log.emit("state.written", { instance, path: "†state", value }, { caused_by });
  }
}
