import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { AuditedAction, AuditValues } from "../access/audit.ts";
import type { Services } from "../server/services.ts";
import type { Json } from "../session/json/json.ts";

type Audit = (action: AuditedAction) => Promise<void>;

/**
 * Audits a read. If storage is full, the read continues and the entry goes to the process log: exporting data must be
 * possible when the disk is full.
 */
export async function auditReading(
  action: AuditedAction,
  audit: Audit,
  { logger }: Pick<Services, "logger">,
): Promise<void> {
  try {
    await audit(action);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && TAKES_NO_MORE.some((code) => code === error.code))) throw error;
    logger.warn({ action, err: error }, "Could not record a read in the audit log");
  }
}

const TAKES_NO_MORE = ["storage_full", "storage_damaged"];

/** Longer texts are replaced by digests: the audit log should be readable, and the event log has them in full. */
const LONGEST_TEXT = 200;

/** The fields of a written value that changed, before and after; all fields if it is new. */
export function changesOf(
  before: AuditValues | undefined,
  after: AuditValues,
): Pick<AuditedAction, "before" | "after"> {
  if (before === undefined) return { after: shortened(after) };
  const differs = ([name, value]: [string, unknown]) => !isDeepStrictEqual(before[name], value);
  const changed = Object.fromEntries(Object.entries(after).filter(differs));
  const was = Object.fromEntries(Object.keys(changed).map((name) => [name, before[name] ?? null]));
  return { before: shortened(was), after: shortened(changed) };
}

/** A digest of a large value; null for none. */
export function digestOf(value: Json | undefined): string | null {
  if (value === undefined) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `sha256:${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
}

function shortened(values: AuditValues): AuditValues {
  const short = (value: AuditValues[string]) =>
    typeof value === "string" && value.length > LONGEST_TEXT ? digestOf(value) : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, short(value ?? null)]));
}
