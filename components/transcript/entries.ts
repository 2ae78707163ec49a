import { actorName } from "@/components/agents/actor-name.ts";
import { isClosed } from "@/components/format/asked-for.ts";
import { isKnown, type SessionEvent } from "@/lib/session/event.ts";

/** An entry of a transcript. */
export type TranscriptEntry = { seq: number; at: string | null } & (
  | { kind: "message"; role: string; name: string | null; text: string }
  | { kind: "call"; outcome: "succeeded" | "failed" | "denied"; tool: string; callId: string; why: string | null }
  | {
      kind: "decision";
      outcome: "requested" | "approved" | "denied" | "closed";
      what: string;
      by: string | null;
      why: string | null;
    }
  | { kind: "alert"; text: string; why: string | null }
  | { kind: "takeover"; outcome: "taken" | "back"; by: string | null; why: string | null }
  | { kind: "failure"; why: string }
);

/**
 * The entries of a transcript's events, in order; other types are left out. `asked`: requests of earlier confirmations,
 * by id.
 */
export function entriesOf(events: readonly SessionEvent[], asked = new Map<string, string>()): TranscriptEntry[] {
  return events.flatMap((event) => entryOf(event, asked));
}

/** The length of an entry's texts in characters; 0 for none. */
export function lengthOf(entry: TranscriptEntry | undefined): number {
  if (!entry) return 0;
  if (entry.kind === "message") return entry.text.length;
  const texts = ["what" in entry ? entry.what : "", "text" in entry ? entry.text : "", entry.why ?? ""];
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function entryOf(event: SessionEvent, asked: Map<string, string>): TranscriptEntry[] {
  if (!isKnown(event)) return [];
  const place = { seq: event.seq, at: event.occurred_at };
  switch (event.type) {
    case "message.created": {
      const { role, name, content } = event.payload;
      const spoken = role === "assistant" ? event.agent_id : actorName(event.actor);
      return [{ ...place, kind: "message", role, name: name ?? spoken, text: content }];
    }
    case "call.succeeded":
    case "call.failed":
    case "call.denied": {
      const { tool, call_id, error, reason } = event.payload;
      const outcome =
        event.type === "call.succeeded" ? "succeeded" : event.type === "call.failed" ? "failed" : "denied";
      return [{ ...place, kind: "call", outcome, tool, callId: call_id, why: error?.message ?? reason ?? null }];
    }
    case "confirmation.requested": {
      const { confirmation_id, description, action, reason } = event.payload;
      const what = description ?? action.method;
      asked.set(confirmation_id, what);
      return [{ ...place, kind: "decision", outcome: "requested", what, by: event.agent_id, why: reason ?? null }];
    }
    case "confirmation.approved":
    case "confirmation.denied": {
      const { confirmation_id, decided_by, reason } = event.payload;
      const status = event.type === "confirmation.approved" ? "approved" : "denied";
      const outcome = isClosed({ status, decided_by: decided_by ?? event.actor }) ? "closed" : status;
      const what = asked.get(confirmation_id) ?? confirmation_id;
      const by = actorName(decided_by ?? event.actor);
      return [{ ...place, kind: "decision", outcome, what, by, why: reason ?? null }];
    }
    case "manager.alerted":
      return [{ ...place, kind: "alert", text: event.payload.text, why: event.payload.reason ?? null }];
    case "conversation.taken_over":
    case "conversation.handed_back": {
      const outcome = event.type === "conversation.taken_over" ? "taken" : "back";
      const { by, reason } = event.payload;
      return [{ ...place, kind: "takeover", outcome, by: by ?? actorName(event.actor), why: reason ?? null }];
    }
    case "run.failed": {
      const { error, reason } = event.payload;
      const why = typeof error === "string" ? error : (error?.message ?? reason ?? "");
      return [{ ...place, kind: "failure", why }];
    }
    default:
      return [];
  }
}
