import { type JsonErrorKind, readJsonDraft } from "@/components/agents/entry/json-draft.ts";
import { printReference, valueAt } from "@/lib/plan/reference.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import { choosePlan, runInHand } from "@/lib/session/runs/choose-plan.ts";
import type { Session } from "@/lib/session/session.ts";

/** An edited value of the state. */
export interface ValueDraft {
  /** A key for React. */
  id: number;
  instance: string;
  path: string;
  text: string;
}

/** An editable value of the state. */
export interface KnownValue {
  instance: string;
  path: string;
  /** As JSON; empty when the value is too large to be included. */
  text: string;
}

/** The edits of a fork. */
export interface ForkDraft {
  title: string;
  /** Which kind of change: values and plan at the step, or the user's message before it. */
  what: "step" | "message";
  values: readonly ValueDraft[];
  /** The plan as JSON; empty for none. */
  plan: string;
  message: string;
}

/** The body of `POST /api/conversations/:id/fork`. */
export interface ForkBody {
  at: number;
  title?: string;
  edits?: { instance?: string; path: string; value: Json }[];
  plan?: Json;
}

/** Errors of JSON fields: `plan`, or a value's id. */
export type FieldErrors = ReadonlyMap<number | "plan", JsonErrorKind>;

/** The body of a draft, or the errors of its fields. */
export type ReadDraft = { ok: true; body: ForkBody } | { ok: false; flawed: FieldErrors };

/** The top level of the state at the step, by instance: most edits are about these values. */
export function knownValues(session: Session): KnownValue[] {
  const run = runInHand(session);
  return Object.entries(run?.state ?? {}).flatMap(([instance, state]) =>
    isJsonObject(state) && !isRef(state)
      ? Object.keys(state).map((key) => ({
          instance,
          path: printReference({ kind: "state", path: [key] }),
          text: textOf(valueAt(state, [key])),
        }))
      : [],
  );
}

function textOf(value: Json | undefined): string {
  return value === undefined || isRef(value) ? "" : JSON.stringify(value, null, 2);
}

/** The plan of the step as JSON; empty for none. */
export function planText(session: Session): string {
  const plan = choosePlan(session, null, null);
  return plan ? JSON.stringify(plan.calls, null, 2) : "";
}

/** The newest user message at the step; null for none, or when it is too long to be included. */
export function newestSaid(session: Session): { seq: number; content: string } | null {
  const message = session.messages.findLast(({ role }) => role === "user");
  return typeof message?.content === "string" ? { seq: message.seq, content: message.content } : null;
}

/** Builds the body of a draft. An unchanged plan is left out, because the fork copies it. */
export function readDraft(draft: ForkDraft, session: Session): ReadDraft {
  const title = draft.title.trim();
  const named = title === "" ? {} : { title };
  const said = newestSaid(session);
  if (draft.what === "message" && said) return { ok: true, body: { at: said.seq - 1, ...named } };
  const flawed = new Map<number | "plan", JsonErrorKind>();
  const edits = draft.values.flatMap(({ id, instance, path, text }) => {
    const read = readJsonDraft(text);
    if (!read.ok) flawed.set(id, read.flaw.kind);
    return read.ok ? [{ ...(instance === "" ? {} : { instance }), path, value: read.value }] : [];
  });
  const isPlanned = draft.plan.trim() !== "" && draft.plan !== planText(session);
  const plan = isPlanned ? readJsonDraft(draft.plan) : null;
  if (plan && !plan.ok) flawed.set("plan", plan.flaw.kind);
  if (flawed.size > 0) return { ok: false, flawed };
  return {
    ok: true,
    body: { at: session.at, ...named, ...(edits.length > 0 && { edits }), ...(plan?.ok && { plan: plan.value }) },
  };
}

/** What is open at a step and closed in its fork. */
export function openAt({ summary }: Session): { runs: number; confirmations: number } {
  return { runs: Object.keys(summary.open_runs).length, confirmations: summary.awaiting.length };
}
