import type { JsonObject } from "../session/json/json.ts";
import type { HistoryMessage, Role } from "./prompt.ts";

/** A message as it is stored, or as the API takes it. */
export interface MessageRow {
  id?: string | null | undefined;
  role: string;
  content: string;
  name?: string | null | undefined;
  /** Tells users without a name apart. */
  user_id?: string | null | undefined;
  /** When it was said, ISO 8601: stored rows call it `created_at`. */
  created_at?: string | null | undefined;
  at?: string | null | undefined;
  metadata?: JsonObject | null | undefined;
  /** Of a tool's message the call whose result it is; it may stand in its metadata. */
  tool_call_id?: string | null | undefined;
}

/** Marks in the metadata by which a system message matters to the dialog (H3). */
const RELEVANT = ["relevant", "stage_change", "instruction"] as const;

/**
 * A stored message as the history of a prompt takes it. Its metadata tells whether it stays longest (`important`), and of
 * a system message whether it is shown (`relevant`, `stage_change`, `instruction`, each `true`). A role that nobody has
 * is shown as the system's.
 */
export function historyMessage(row: MessageRow): HistoryMessage {
  const { metadata } = row;
  return {
    id: row.id ?? null,
    role: ROLES.find((role) => role === row.role) ?? "system",
    content: row.content,
    name: row.name ?? (row.role === "user" ? (row.user_id ?? null) : null),
    at: row.created_at ?? row.at ?? null,
    important: metadata?.important === true,
    relevant: RELEVANT.some((mark) => metadata?.[mark] === true),
    call_id: row.tool_call_id ?? textIn(metadata, "tool_call_id"),
  };
}

const ROLES: readonly Role[] = ["user", "assistant", "system", "tool", "operator"];

function textIn(metadata: JsonObject | null | undefined, key: string): string | null {
  const value = metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  return typeof value === "string" ? value : null;
}
