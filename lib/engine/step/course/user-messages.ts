import type { Json, JsonObject } from "../../../session/json/json.ts";
import { isSameJson } from "../../../session/json/json.ts";
import type { Locale } from "../../../session/locale.ts";
import type { Failure } from "../../../session/session.ts";
import type { Speech } from "../../turn.ts";
import { descriptionOf } from "../calls/approval-policy.ts";
import type { Run } from "../run.ts";
import { withoutMarkers } from "./shown-text.ts";

/** Records a user's message, with the run that answers it. */
export function emitUserMessage(
  run: Run,
  { id, content }: { id: string; content: string },
  userId: string | null,
): string {
  const actor = userId === null ? "user" : `user:${userId}`;
  return run.log.emit("message.created", { message_id: id, role: "user", content }, { id, actor, beside: true });
}

/** Records a message of the agent to its user, if it answers one. */
export function emitMessage(run: Run, content: string, caused_by: string | null, metadata: JsonObject = {}): void {
  if (run.state.settings.answers === null || run.parent !== null || content.trim() === "") return;
  const id = run.tree.ids.next();
  const { warnings } = run.state;
  const all = { ...metadata, ...(warnings.length === 0 ? {} : { warnings: [...warnings] }) };
  const said = { message_id: id, role: "assistant" as const, content };
  run.log.emit("message.created", Object.keys(all).length === 0 ? said : { ...said, metadata: all }, { id, caused_by });
}

/** Records what an agent says beside its calls, before its answer. Markers are removed (D5). */
export function emitRemark(run: Run, content: string, caused_by: string | null): void {
  const { silent, prefix } = run.state.settings;
  const remark = shownOf(run, content);
  if (!silent && remark.trim() !== "") emitMessage(run, `${prefix}${remark}`, caused_by);
}

function shownOf({ env }: Run, text: string): string {
  return withoutMarkers(text, env.drafts?.markers ?? []);
}

/** Records the agent's answer at the end of its run. A user always gets one (D6). */
export function emitAnswer(run: Run, output: Json | undefined, reason: string | undefined): void {
  if (output === undefined && reason === "shadow")
    return speak(run, ({ planned }, locale) => planned(plannedIn(run), locale), { planned: true });
  const given = output ?? "";
  const answer = shownOf(run, typeof given === "string" ? given : JSON.stringify(given));
  if (answer.trim() !== "") emitMessage(run, answer, run.state.latest);
  else if (!run.state.spoke) speak(run, ({ silent }, locale) => silent(locale), { silent: true });
}

/** Tells the user that a manager was called: once, before anything else that ends the turn (D9). */
export function emitEscalated(run: Run, caused_by: string | null): void {
  if (run.state.ended || run.state.escalated || !run.termination?.escalated) return;
  speak(run, ({ escalated }, locale) => escalated(locale), { escalated: true }, caused_by);
}

/** Tells the user why there is no answer. */
export function emitFailed(run: Run, failure: Failure): void {
  speak(run, ({ failed }, locale) => failed(failure, locale), { failed: true });
}

/** Tells the user that the run was cancelled, unless a manager was announced (D9). */
export function emitCancelled(run: Run): void {
  if (run.state.escalated) return;
  speak(run, ({ cancelled }, locale) => cancelled(locale), { cancelled: true });
}

/** Tells the user what the turn waits for, unless they were told before (M11). */
export function emitWaiting(run: Run): void {
  const asked = [...run.runs()].flatMap(({ state }) => [...state.confirmations.values()]);
  const untold = asked.filter(({ id, status }) => status === "requested" && !run.state.told.has(id));
  if (untold.length === 0) return;
  const descriptions = untold.map(({ description }) => description);
  speak(run, ({ waiting }, locale) => waiting(descriptions, locale), { awaits: untold.map(({ id }) => id) });
}

/** Records what is missing in the memory, unless it was recorded before (M10). */
export function tellWarnings(run: Run, warnings: string[], caused_by: string | null): void {
  if (isSameJson(warnings, run.state.warnings)) return;
  run.log.emit("selfcheck.warned", { warnings }, { actor: "system", caused_by });
}

/** Records a message whose text is the product's, not a model's. */
function speak(
  run: Run,
  words: (speech: Speech, locale: Locale) => string,
  metadata: JsonObject,
  caused_by: string | null = run.state.latest,
): void {
  const { dialog } = run.env;
  if (dialog) emitMessage(run, words(dialog.speech, run.state.settings.locale), caused_by, metadata);
}

/** Descriptions of the calls of a simulated plan. */
function plannedIn(run: Run): string[] {
  return [...run.state.calls()].map((call) =>
    descriptionOf(run, { call, tool: call.tool, params: call.params ?? call.plan.parameters }),
  );
}
