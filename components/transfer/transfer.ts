/** The result for an imported conversation. */
interface Imported {
  conversation_id: string;
  created: boolean;
  events: number;
}

/** The response of `POST /api/import`. */
export interface ImportAnswer {
  conversations: Imported[];
}

/** The response of `GET /api/import/:id`. */
export interface ImportState {
  phase: "reading" | "waiting" | "storing";
  bytes: number;
  conversations: number;
  events: number;
  stored: number;
}

/** The result of an import, with its first conversations. */
export interface Outcome {
  created: number;
  events: number;
  there: number;
  first: string[];
}

type Stage = "queued" | "running" | "done" | "failed" | "cancelled";

interface Common {
  id: string;
  /** The file's name. */
  name: string;
  stage: Stage;
  /** The error, as a sentence with a remedy. */
  problem: string | null;
}

/** An import. */
export interface ImportTransfer extends Common {
  kind: "import";
  /** The file's size, and the sent bytes. */
  size: number;
  sent: number;
  /** The server's progress. */
  state: ImportState | null;
  outcome: Outcome | null;
}

/** An export. */
export interface ExportTransfer extends Common {
  kind: "export";
  bytes: number;
  conversations: number;
  /** Null while unknown. */
  total: number | null;
}

export type Transfer = ImportTransfer | ExportTransfer;

/** The most links to imported conversations. */
const LINKED = 3;

/** Summarizes an import. */
export function outcomeOf({ conversations }: ImportAnswer): Outcome {
  const created = conversations.filter((one) => one.created);
  return {
    created: created.length,
    events: created.reduce((sum, { events }) => sum + events, 0),
    there: conversations.length - created.length,
    first: (created.length > 0 ? created : conversations).slice(0, LINKED).map((one) => one.conversation_id),
  };
}

/** The progress from 0 to 1; null when unknown. The upload comes first, then storing. */
export function shareOf(transfer: Transfer): number | null {
  if (transfer.stage !== "running") return null;
  if (transfer.kind === "export") return transfer.total ? transfer.conversations / transfer.total : null;
  const { size, sent, state } = transfer;
  if (state?.phase === "waiting") return null;
  if (state?.phase === "storing") return (1 + (state.events > 0 ? state.stored / state.events : 0)) / 2;
  return size > 0 ? sent / size / 2 : null;
}

/** Whether it is running or queued. */
export function isGoingOn({ stage }: Transfer): boolean {
  return stage === "queued" || stage === "running";
}
