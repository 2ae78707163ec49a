import type { JsonObject } from "../../session/json/json.ts";
import type { HistoryMessage, Role } from "../prompt.ts";

/** A message as stored, or as the API accepts it. */
export interface MessageRow {
  id?: string | null | undefined;
  role: string;
  content: string;
  name?: string | null | undefined;
  /** Distinguishes users without a name. */
  user_id?: string | null | undefined;
  /** Its time, ISO 8601; `created_at` in stored rows. */
  created_at?: string | null | undefined;
  at?: string | null | undefined;
  metadata?: JsonObject | null | undefined;
  /** A tool message's call; may be in its metadata. */
  tool_call_id?: string | null | undefined;
}

/** Keys in the metadata that make a system message relevant (H3). */
const RELEVANT = ["relevant", "stage_change", "instruction"] as const;

/**
 * Converts a stored message for a prompt's history. Its metadata has whether it is kept longest (`important`), and
 * whether a system message is shown (`relevant`, `stage_change`, `instruction`, each `true`). Unknown roles are shown
 * as the system's.
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
