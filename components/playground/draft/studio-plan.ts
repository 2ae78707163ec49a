import { callApi } from "@/components/client/api.ts";
import { printContext, readContext } from "@/lib/plan/context.ts";
import { printCalls } from "@/lib/plan/edit/print-call.ts";
import { isKnown, type SessionEvent } from "@/lib/session/event.ts";
import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";
import { choosePlan } from "@/lib/session/runs/choose-plan.ts";
import type { View } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";
import type { Draft } from "./documents.ts";
import type { PlanPlace } from "./plan-place.ts";
import { printList } from "./print-documents.ts";

/** Loads a session's plan with the context, tools and state at its proposal. Null when there is no such plan. */
export async function loadPlan(place: PlanPlace, signal: AbortSignal): Promise<Draft | null> {
  const path = `/api/conversations/${encodeURIComponent(place.conversation)}`;
  const at = await proposedAt(path, place, signal);
  const view = await callApi<View>(`${path}/view`, { query: { at }, signal });
  const session = fromView(view);
  const plan = choosePlan(session, place.run, place.iteration);
  const run = session.runs.get(place.run);
  if (!plan || !run) return null;
  const { items } = await callApi<{ items: SessionEvent[] }>(`${path}/events`, {
    query: { after: run.started_seq - 1, limit: 1 },
    signal,
  });
  const [started] = items;
  const begun = started && isKnown(started) && started.type === "run.started" ? started.payload : null;
  const context = withState(objectsOf(begun?.context), run.state);
  return { plan: printCalls(plan.calls), context: printList(context), tools: printList(objectsOf(begun?.tools)) };
}

/** The step of the proposal; null, for the newest step, for recorded calls. */
async function proposedAt(path: string, place: PlanPlace, signal: AbortSignal): Promise<number | null> {
  for (let cursor: string | null = "0"; cursor !== null; ) {
    const page: { items: SessionEvent[]; next: string | null } = await callApi(`${path}/events`, {
      query: { type: "plan.proposed", limit: 1_000, cursor },
      signal,
    });
    const found = page.items.find(
      (event) =>
        isKnown(event) &&
        event.type === "plan.proposed" &&
        event.run_id === place.run &&
        event.payload.iteration === place.iteration,
    );
    if (found) return found.seq;
    cursor = page.next;
  }
  return null;
}

/** A context with the state of a run, by instance. */
function withState(messages: readonly JsonObject[], state: Record<string, Json>): JsonObject[] {
  const read = readContext(messages);
  if (!read.ok) return [...messages];
  const { data, text } = read.context;
  const written = Object.entries(state).filter(([, value]) => isJsonObject(value) && Object.keys(value).length > 0);
  const known = data.map((message) => {
    const now = message.kind === "state" ? written.find(([instance]) => instance === message.instance)?.[1] : undefined;
    return now === undefined ? message : { ...message, data: now };
  });
  const others = written.filter(
    ([instance]) => !data.some((message) => message.kind === "state" && message.instance === instance),
  );
  return printContext({
    data: [...known, ...others.map(([instance, value]) => ({ kind: "state", instance, data: value }))],
    text,
  });
}

function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
