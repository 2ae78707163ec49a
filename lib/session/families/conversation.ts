import type { EventOf } from "../event.ts";
import type { Summary } from "../session.ts";
import { ERASED, type Family, RECORDED } from "./family.ts";

/** A conversation is made and named, and people take care of it. The list's row has what these say; the session does not. */
export const CONVERSATION_EVENTS = {
  "conversation.created": {
    ...RECORDED,
    // A fork is made here, by a person. Giving a conversation to another agent is refused where it is stored.
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
  // They silence this server's agent, and let it speak again.
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
  // What calls do in a fork: as an event it is of a fork elsewhere, for storage takes none for a fork of this server.
  "fork.mode_changed": { ...RECORDED, authority: "decide", structure: { mode: "kept" } },
  "manager.alerted": {
    ...RECORDED,
    stop: "alert",
    steers: true,
    // Calls managers, who are told that an agent elsewhere does.
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
  // What was asked before is the source's to answer.
  next.asked = false;
  next.untouched = true;
}
