import { valueAt } from "../plan/reference.ts";
import type { Json } from "../session/json/json.ts";
import type { Origin, PromptContext } from "./prompt.ts";
import type { Placeholder } from "./template.ts";
import { zoneOf } from "./zone.ts";

/** The names of placeholders (H1). */
export const PLACEHOLDERS = [
  "messageHistory",
  "userId",
  "currentTime",
  "timezone",
  "householdId",
  "stateSummary",
  "state",
  "memory",
  "configuration",
  "warnings",
  "tools",
] as const;

/** The value of a placeholder in a context. */
export type Found =
  | { kind: "value"; text: string; origin: Origin; refused: RefusedZone | null }
  /** `what` is missing, as in "There is no …". */
  | { kind: "missing"; what: string }
  | { kind: "unknown" };

/** An unknown zone, and its replacement. */
export interface RefusedZone {
  timezone: string;
  zone: string;
}

interface Source {
  origin: Origin;
  /** What is missing without it. */
  what: string;
  /** Undefined and null count as missing. */
  valueIn(context: PromptContext, history: string): Json | undefined;
  /** Supports paths. */
  hasParts?: true;
  /** Depends on the user's zone. */
  isZoned?: true;
}

const SOURCES: Record<(typeof PLACEHOLDERS)[number], Source> = {
  messageHistory: { origin: "history", what: "history", isZoned: true, valueIn: (_, history) => history },
  userId: { origin: "user", what: "user", valueIn: ({ user_id }) => user_id },
  currentTime: { origin: "time", what: "time", valueIn: ({ now }) => new Date(now).toISOString() },
  timezone: { origin: "timezone", what: "time zone", isZoned: true, valueIn: ({ timezone }) => nameOf(timezone) },
  householdId: { origin: "household", what: "household", valueIn: ({ household_id }) => household_id },
  stateSummary: { origin: "summary", what: "memory summary", valueIn: ({ state_summary }) => state_summary },
  state: { origin: "state", what: "state", hasParts: true, valueIn: ({ state }) => state },
  memory: { origin: "memory", what: "memory", hasParts: true, valueIn: ({ memory }) => memory },
  configuration: {
    ...{ origin: "configuration", what: "configuration", hasParts: true },
    valueIn: ({ configuration }) => configuration,
  },
  warnings: {
    origin: "warnings",
    what: "memory check",
    valueIn: ({ warnings }) => warnings && listed(warnings),
  },
  tools: { origin: "tools", what: "list of tools", valueIn: ({ tools }) => tools && listed(tools.map(printTool)) },
};

const BY_NAME = new Map<string, Source>(Object.entries(SOURCES));

/**
 * Looks up placeholders in a context (H1); `history` is the formatted history. Strings are inserted as they are, others
 * as JSON; each value is serialized once. Null counts as missing, an empty list does not.
 */
export function createLookup(context: PromptContext, history: string): (placeholder: Placeholder) => Found {
  const known = new Map<string, Found>();
  return (part) => {
    const found = known.get(part.placeholder) ?? find(part, context, history);
    known.set(part.placeholder, found);
    return found;
  };
}

function find({ name, path, placeholder }: Placeholder, context: PromptContext, history: string): Found {
  const source = BY_NAME.get(name);
  if (!source || (path !== null && !source.hasParts)) return { kind: "unknown" };
  const { origin, what, isZoned } = source;
  const whole = source.valueIn(context, history) ?? null;
  if (whole === null) return { kind: "missing", what };
  const value = valueAt(whole, path ?? []) ?? null;
  if (value === null) return { kind: "missing", what: placeholder };
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { kind: "value", text, origin, refused: isZoned ? refusedZone(context.timezone) : null };
}

/** A zone by its given name: Intl has another name for many. */
function nameOf(timezone: string | null): string {
  const { zone, known } = zoneOf(timezone);
  return known ? (timezone ?? zone) : zone;
}

function refusedZone(timezone: string | null): RefusedZone | null {
  const { zone, known } = zoneOf(timezone);
  return known || timezone === null ? null : { timezone, zone };
}

/** One line each, so that an entry cannot look like another one. */
function listed(entries: readonly string[]): string {
  return entries.map((entry) => `- ${entry.replace(/[\s\u0085]+/g, " ").trim()}`).join("\n");
}

function printTool({ name, description }: { name: string; description: string }): string {
  return description.trim() === "" ? name : `${name}: ${description}`;
}
