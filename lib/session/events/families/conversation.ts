import type { EventOf } from "../../event.ts";
import type { Summary } from "../../session.ts";
import { ERASED, type Family, RECORDED } from "./family.ts";

/** Creating, naming and taking over conversations. They change the list's row, not the session. */
export const CONVERSATION_EVENTS = {
  "conversation.created": {
    ...RECORDED,
    // A person creates forks here. Storage refuses to assign a conversation to another agent.
    authority: ({ forked_from }) => (forked_from === undefined ? "ingest" : "decide"),
    structure: {
      channel: "kept",
      agent_id: "agent",
      forked_from: { of: { conversation_id: "id", seq: "kept" } },
      origin: { of: { conversation_id: "id" } },
    },
    // Titles have an index of their own.
    unsearched: ["title"],
    summarize: summarizeCreation,
  },
  "conversation.titled": {
    ...RECORDED,
    authority: "ingest",
    structure: { title: { put: ERASED } },
    unsearched: "all",
    summarize(next, { payload }) {
      next.title = payload.title;
    },
  },
  // They pause and resume this server's agent.
  "conversation.taken_over": {
    ...RECORDED,
    authority: "decide",
    structure: {},
    summarize(next, event) {
      next.escalated = true;
      next.taken_over = {
        by: event.payload.by ?? event.actor,
        at: event.occurred_at ?? event.recorded_at,
        seq: event.seq,
      };
    },
  },
  "conversation.handed_back": {
    ...RECORDED,
    authority: "decide",
    structure: {},
    summarize(next) {
      next.escalated = false;
      next.taken_over = null;
    },
  },
  "conversation.bookmarked": { ...RECORDED, authority: "decide", structure: { seq: "kept" } },
  "conversation.unbookmarked": { ...RECORDED, authority: "decide", structure: { seq: "kept" } },
  // The mode of a fork: from a program it is about a fork elsewhere, since storage refuses it for forks of this server.
  "fork.mode_changed": { ...RECORDED, authority: "decide", structure: { mode: "kept" } },
  "manager.alerted": {
    ...RECORDED,
    stop: "alert",
    steers: true,
    // Alerts managers, which external agents may do.
    authority: "ingest",
    structure: { text: { put: ERASED } },
    fold(folding, { seq, run_id, payload, occurred_at }) {
      folding.addAlert({ seq, run_id, text: payload.text, reason: payload.reason ?? null, at: occurred_at });
    },
    summarize(next) {
      next.escalated = true;
    },
  },
  log: { ...RECORDED, authority: "ingest", structure: {}, causes: false },
} as const satisfies Family<
  | "conversation.created"
  | "conversation.titled"
  | "conversation.taken_over"
  | "conversation.handed_back"
  | "conversation.bookmarked"
  | "conversation.unbookmarked"
  | "fork.mode_changed"
  | "manager.alerted"
  | "log"
>;

function summarizeCreation(next: Summary, { payload }: EventOf<"conversation.created">): void {
  next.title = payload.title ?? next.title;
  next.channel = payload.channel ?? next.channel;
  next.user_id = payload.user_id ?? next.user_id;
  next.agent_id = payload.agent_id ?? next.agent_id;
  if (!payload.forked_from) return;
  next.forked_from = payload.forked_from;
  // Earlier confirmations belong to the source.
  next.asked = false;
  next.untouched = true;
}
