import type { Json } from "../lib/session/json/json.ts";
import type { Confirmation as SessionConfirmation, TakenOver } from "../lib/session/session.ts";
import type { Page } from "./conversations.ts";
import type { AppendOrigin } from "./new-event.ts";

/** A confirmation as in its session's view, with where it is pending (E4). */
export interface Confirmation
  extends Omit<SessionConfirmation, "asked" | "iteration" | "requested_seq" | "requested_at"> {
  conversation_id: string;
  /** Null if the request does not name it. */
  iteration: number | null;
  /** Large parameters are replaced by references (E8). */
  action: { method: string; params: Json };
  requested_seq: number;
  requested_at: string;
  /** It has been pending for more than a day. */
  overdue: boolean;
  /** Whether a run of this server waits for it. */
  own: boolean;
}

/** A confirmation of the list, with its conversation and agent. */
export interface ListedConfirmation extends Confirmation {
  /** The agent that requests it. */
  agent_id: string | null;
  /** It is decided, and the agent has not responded yet. */
  unanswered: boolean;
  /** Who looks after the conversation, if anybody does, and who stands in for them now. */
  owner?: string | undefined;
  deputy?: string | undefined;
  conversation: {
    title: string | null;
    /** The first words of the first user message, shown if there is no title. */
    subject: string | null;
    channel: string | null;
    user_id: string | null;
    agent_id: string | null;
  };
}

export interface ConfirmationQuery {
  status?: Confirmation["status"];
  conversation_id?: string;
  cursor?: string;
  limit: number;
}

/** Requests for approval, and their decisions (E4). */
export interface Confirmations {
  get(id: string): Promise<Confirmation | null>;
  /** Pending ones oldest first; decided ones newest decision first. Throws `BadCursor`. */
  list(query: ConfirmationQuery): Promise<Page<ListedConfirmation>>;
}

/** An alert that calls a manager (D9). */
export interface ListedAlert {
  /** The event's id. */
  id: string;
  conversation_id: string;
  seq: number;
  run_id: string | null;
  /** The agent that raised it. */
  agent_id: string | null;
  text: string;
  reason: string | null;
  created_at: string;
  /** Whether the conversation has not been handed back since (D11). */
  open: boolean;
  closed_at: string | null;
  closed_by: string | null;
  /** The conversation's current state. */
  conversation: ListedConfirmation["conversation"] & {
    taken_over: TakenOver | null;
    /** Whether it has an active run; a takeover ends its turns. */
    running: boolean;
  };
}

export interface AlertQuery {
  status: "open" | "all";
  cursor?: string;
  limit: number;
}

/** The alerts of managers (E4). */
export interface Alerts {
  /** Newest first. Throws `BadCursor`. */
  list(query: AlertQuery): Promise<Page<ListedAlert>>;
}

/** A person approves a confirmation that several people have to approve. */
export type PartialApproval = Pick<Decision, "confirmationId" | "reason" | "actor" | "requestedSeq">;

/** A decision on a confirmation of an external agent. */
export interface Decision {
  confirmationId: string;
  status: "approved" | "denied";
  reason: string | null;
  /** Edited parameters, or another call; null leaves the action unchanged. */
  action: { method: string; params: Json } | null;
  /** The result that the operator entered; undefined for none. */
  result: Json | undefined;
  actor: string;
  /** The seq of the request that is decided. If it has been replaced by a newer request, nothing is decided. */
  requestedSeq: number;
  /** `program` by default. */
  by?: AppendOrigin;
}
