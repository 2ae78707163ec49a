/** What became of a conversation that was imported. */
interface Imported {
  conversation_id: string;
  created: boolean;
  events: number;
}

/** The answer of `POST /api/import`. */
export interface ImportAnswer {
  conversations: Imported[];
}

/** The answer of `GET /api/import/:id`. */
export interface ImportState {
  phase: "reading" | "waiting" | "storing";
  bytes: number;
  conversations: number;
  events: number;
  stored: number;
}

/** What an import brought; of its conversations only the first are told. */
export interface Outcome {
  created: number;
  events: number;
  there: number;
  first: string[];
}

type Stage = "queued" | "running" | "done" | "failed" | "cancelled";

interface Common {
  id: string;
  /** The file's. */
  name: string;
  stage: Stage;
  /** Why it failed, in a sentence that tells the remedy. */
  problem: string | null;
}

/** A file that is imported. */
export interface ImportTransfer extends Common {
  kind: "import";
  /** The file's bytes, and how many of them have been sent. */
  size: number;
  sent: number;
  /** As far as the server has told. */
  state: ImportState | null;
  outcome: Outcome | null;
}

/** A file that is written by an export. */
export interface ExportTransfer extends Common {
  kind: "export";
  bytes: number;
  conversations: number;
  /** Null as long as the server has not told. */
  total: number | null;
}

export type Transfer = ImportTransfer | ExportTransfer;

/** How many of an import's conversations are linked. */
const LINKED = 3;

/** Sums an import up. */
export function outcomeOf({ conversations }: ImportAnswer): Outcome {
  const created = conversations.filter((one) => one.created);
  return {
    created: created.length,
    events: created.reduce((sum, { events }) => sum + events, 0),
    there: conversations.length - created.length,
    first: (created.length > 0 ? created : conversations).slice(0, LINKED).map((one) => one.conversation_id),
  };
}

/** How much of it is done, of 1; null where that cannot be told. The file is sent first, then its events are stored. */
export function shareOf(transfer: Transfer): number | null {
  if (transfer.stage !== "running") return null;
  if (transfer.kind === "export") return transfer.total ? transfer.conversations / transfer.total : null;
  const { size, sent, state } = transfer;
  if (state?.phase === "waiting") return null;
  if (state?.phase === "storing") return (1 + (state.events > 0 ? state.stored / state.events : 0)) / 2;
  return size > 0 ? sent / size / 2 : null;
}

/** Whether it is not over yet. */
export function isGoingOn({ stage }: Transfer): boolean {
  return stage === "queued" || stage === "running";
}
