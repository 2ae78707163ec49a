import { type FlawKind, readJsonDraft } from "@/components/agents/entry/json-draft.ts";
import { printReference, valueAt } from "@/lib/plan/reference.ts";
import { choosePlan, runInHand } from "@/lib/session/choose-plan.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import type { Session } from "@/lib/session/session.ts";

/** A value that is to be written over the state, as it is being typed. */
export interface ValueDraft {
  /** Tells one from another while they are edited. */
  id: number;
  instance: string;
  path: string;
  text: string;
}

/** A value of the state that can be edited. */
export interface KnownValue {
  instance: string;
  path: string;
  /** As JSON; empty where the value is too large to be carried along. */
  text: string;
}

/** What a fork is to have another way than its source. */
export interface ForkDraft {
  title: string;
  /** What changes: values and plan at the step, or what the user said before it. */
  what: "step" | "message";
  values: readonly ValueDraft[];
  /** The plan as JSON; empty for none. */
  plan: string;
  message: string;
}

/** What `POST /api/conversations/:id/fork` takes. */
export interface ForkBody {
  at: number;
  title?: string;
  edits?: { instance?: string; path: string; value: Json }[];
  plan?: Json;
}

/** What is wrong with the JSON of fields: `plan`, or a value's id. */
export type FieldFlaws = ReadonlyMap<number | "plan", FlawKind>;

/** A draft as a body, or the fields that cannot be read. */
export type ReadDraft = { ok: true; body: ForkBody } | { ok: false; flawed: FieldFlaws };

/** The top of the state that a fork goes on with, by instance: what most edits are about. */
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

/** The plan that the step has in hand, as JSON; empty for none. */
export function planText(session: Session): string {
  const plan = choosePlan(session, null, null);
  return plan ? JSON.stringify(plan.calls, null, 2) : "";
}

/** The newest thing that the user has said by then; null where that is nothing, or too long to be carried along. */
export function newestSaid(session: Session): { seq: number; content: string } | null {
  const message = session.messages.findLast(({ role }) => role === "user");
  return typeof message?.content === "string" ? { seq: message.seq, content: message.content } : null;
}

/** What a draft asks for. A plan that was not touched is not asked for: the fork has it. */
export function readDraft(draft: ForkDraft, session: Session): ReadDraft {
  const title = draft.title.trim();
  const named = title === "" ? {} : { title };
  const said = newestSaid(session);
  if (draft.what === "message" && said) return { ok: true, body: { at: said.seq - 1, ...named } };
  const flawed = new Map<number | "plan", FlawKind>();
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

/** What is open at a step, and closed in a fork of it. */
export function openAt({ summary }: Session): { runs: number; confirmations: number } {
  return { runs: Object.keys(summary.open_runs).length, confirmations: summary.awaiting.length };
}
