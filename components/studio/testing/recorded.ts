import type { SessionEvent } from "@/lib/session/event.ts";
import type { Json, JsonObject } from "@/lib/session/json/json.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import type { Session } from "@/lib/session/session.ts";
import { session as events } from "@/lib/session/testing/events.ts";

/** An event of a test session: type, payload, and other fields. */
export type Step = [type: string, payload: Json, more?: Partial<SessionEvent>];

/** Folds events, numbered from 1 and a second apart, into a session. */
export function recorded(...steps: Step[]): Session {
  return fold(emptySession("c"), events(...steps));
}

/** A message with an id. */
export function said(id: string, role: string, content: string, more?: Partial<SessionEvent>): Step {
  return ["message.created", { message_id: id, role, content }, more];
}

/** A plan in which a call reads a deal and two others read its result: one a branch, one the whole. */
export const PLAN: JsonObject[] = [
  { _tool: "deal.get", _id: "get", id: 7, _outputPath: "†state.deal" },
  {
    _tool: "policy.check",
    _id: "check",
    amount: "†state.deal.amount",
    _outputPath: "†state.allowed || †state.refused",
  },
  { _tool: "deal.summarize", _id: "sum", about: "†state.deal", _outputPath: "†state.summary" },
];
