import { valueAt } from "../plan/reference.ts";
import type { Json } from "../session/json/json.ts";
import type { Origin, PromptContext } from "./prompt.ts";
import type { Placeholder } from "./template.ts";
import { zoneOf } from "./zone.ts";

/** The names that a template can fill in (H1). */
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

/** What a context has for a placeholder. */
export type Found =
  | { kind: "value"; text: string; origin: Origin; refused: RefusedZone | null }
  /** `what` there is none of, as in "There is no …". */
  | { kind: "missing"; what: string }
  | { kind: "unknown" };

/** A zone that nobody knows, and the one that stands for it. */
export interface RefusedZone {
  timezone: string;
  zone: string;
}

interface Source {
  origin: Origin;
  /** What is missing without it. */
  what: string;
  /** Undefined and null are no data. */
  valueIn(context: PromptContext, history: string): Json | undefined;
  /** A part of it can be named. */
  hasParts?: true;
  /** It depends on the user's zone. */
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
 * Gives what a context has for a placeholder (H1), `history` being the text of the history. Texts are given as they are,
 * all else as JSON; a value is written once, however often it is named. Null is no data, a list without entries is.
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

/** A zone by the name that it was given: Intl knows many under another one. */
function nameOf(timezone: string | null): string {
  const { zone, known } = zoneOf(timezone);
  return known ? (timezone ?? zone) : zone;
}

function refusedZone(timezone: string | null): RefusedZone | null {
  const { zone, known } = zoneOf(timezone);
  return known || timezone === null ? null : { timezone, zone };
}

/** A line each, so that nothing in an entry can pass for another one. */
function listed(entries: readonly string[]): string {
  return entries.map((entry) => `- ${entry.replace(/[\s\u0085]+/g, " ").trim()}`).join("\n");
}

function printTool({ name, description }: { name: string; description: string }): string {
  return description.trim() === "" ? name : `${name}: ${description}`;
}
