import type { Json, JsonObject } from "../../../session/json/json.ts";
import { isSameJson } from "../../../session/json/json.ts";
import type { Locale } from "../../../session/locale.ts";
import type { Failure } from "../../../session/session.ts";
import type { Speech } from "../../turn.ts";
import { descriptionOf } from "../calls/approval-policy.ts";
import type { Run } from "../run.ts";
import { withoutMarkers } from "./shown-text.ts";

/** What a user said, with the run that answers it. */
export function emitUserMessage(
  run: Run,
  { id, content }: { id: string; content: string },
  userId: string | null,
): string {
  const actor = userId === null ? "user" : `user:${userId}`;
  return run.log.emit("message.created", { message_id: id, role: "user", content }, { id, actor, beside: true });
}

/** The agent says something to its user, if there is one that it answers. */
export function emitMessage(run: Run, content: string, caused_by: string | null, metadata: JsonObject = {}): void {
  if (run.state.settings.answers === null || run.parent !== null || content.trim() === "") return;
  const id = run.tree.ids.next();
  const { warnings } = run.state;
  const all = { ...metadata, ...(warnings.length === 0 ? {} : { warnings: [...warnings] }) };
  const said = { message_id: id, role: "assistant" as const, content };
  run.log.emit("message.created", Object.keys(all).length === 0 ? said : { ...said, metadata: all }, { id, caused_by });
}

/** What an agent says beside its calls: its answer is still to come. Markers are said to nobody (D5). */
export function emitRemark(run: Run, content: string, caused_by: string | null): void {
  const { silent, prefix } = run.state.settings;
  const remark = shownOf(run, content);
  if (!silent && remark.trim() !== "") emitMessage(run, `${prefix}${remark}`, caused_by);
}

function shownOf({ env }: Run, text: string): string {
  return withoutMarkers(text, env.drafts?.markers ?? []);
}

/** The agent's answer at the end of its run. Nobody who asks is left without a word (D6). */
export function emitAnswer(run: Run, output: Json | undefined, reason: string | undefined): void {
  if (output === undefined && reason === "shadow")
    return speak(run, ({ planned }, locale) => planned(plannedIn(run), locale), { planned: true });
  const given = output ?? "";
  const answer = shownOf(run, typeof given === "string" ? given : JSON.stringify(given));
  if (answer.trim() !== "") emitMessage(run, answer, run.state.latest);
  else if (!run.state.spoke) speak(run, ({ silent }, locale) => silent(locale), { silent: true });
}

/** A manager was called: said once, and before anything else that ends the turn (D9). */
export function emitEscalated(run: Run, caused_by: string | null): void {
  if (run.state.ended || run.state.escalated || !run.termination?.escalated) return;
  speak(run, ({ escalated }, locale) => escalated(locale), { escalated: true }, caused_by);
}

/** Why there will be no answer. */
export function emitFailed(run: Run, failure: Failure): void {
  speak(run, ({ failed }, locale) => failed(failure, locale), { failed: true });
}

/** A person stopped it. Who was told that a manager comes needs to know no more (D9). */
export function emitCancelled(run: Run): void {
  if (run.state.escalated) return;
  speak(run, ({ cancelled }, locale) => cancelled(locale), { cancelled: true });
}

/** What the turn waits for, unless its user was told before (M11). */
export function emitWaiting(run: Run): void {
  const asked = [...run.runs()].flatMap(({ state }) => [...state.confirmations.values()]);
  const untold = asked.filter(({ id, status }) => status === "requested" && !run.state.told.has(id));
  if (untold.length === 0) return;
  const descriptions = untold.map(({ description }) => description);
  speak(run, ({ waiting }, locale) => waiting(descriptions, locale), { awaits: untold.map(({ id }) => id) });
}

/** A person is told what the memory lacks, unless they were before (M10). */
export function tellWarnings(run: Run, warnings: string[], caused_by: string | null): void {
  if (isSameJson(warnings, run.state.warnings)) return;
  run.log.emit("selfcheck.warned", { warnings }, { actor: "system", caused_by });
}

/** Says something that no model has put into words. */
function speak(
  run: Run,
  words: (speech: Speech, locale: Locale) => string,
  metadata: JsonObject,
  caused_by: string | null = run.state.latest,
): void {
  const { dialog } = run.env;
  if (dialog) emitMessage(run, words(dialog.speech, run.state.settings.locale), caused_by, metadata);
}

/** The calls of a plan that was only played, in words. */
function plannedIn(run: Run): string[] {
  return [...run.state.calls()].map((call) =>
    descriptionOf(run, { call, tool: call.tool, params: call.params ?? call.plan.parameters }),
  );
}
