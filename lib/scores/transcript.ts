import { redact, redactJson } from "../redaction/redact.ts";
import { isKnown, type SessionEvent } from "../session/event.ts";
import type { Json } from "../session/json/json.ts";
import type { JudgedTurn } from "./judge.ts";

/** Characters of one entry, and of all: some 8,000 tokens. */
const LONGEST_ENTRY = 2_000;
const LONGEST = 24_000;

/**
 * What a judge reads of a turn: the messages before it, then what the agent said and did, oldest first. Secrets are replaced; what
 * is too long is cut, with a note that says how much.
 */
export function transcriptOf(before: readonly SessionEvent[], turn: readonly SessionEvent[]): JudgedTurn {
  const said = before.filter(({ type }) => type === "message.created");
  const lines = [...said, ...turn].flatMap(lineOf);
  return {
    transcript: bounded(lines),
    question: textOf(said, "user"),
    answer: textOf(turn, "assistant"),
  };
}

function textOf(events: readonly SessionEvent[], role: string): string {
  const found = events.findLast(
    (event) => isKnown(event) && event.type === "message.created" && event.payload.role === role,
  );
  if (!found || !isKnown(found) || found.type !== "message.created") return "";
  return cut(plain(found.payload.content), LONGEST_ENTRY * 4);
}

function lineOf(event: SessionEvent): string[] {
  if (!isKnown(event)) return [];
  switch (event.type) {
    case "message.created":
      return [entry(event.payload.role, event.payload.content)];
    case "call.started":
      return [entry(`calls ${event.payload.tool}`, event.payload.params ?? null)];
    case "call.succeeded":
      return [entry(`result of ${event.payload.call_id}`, event.payload.output ?? null)];
    case "call.failed":
      return [entry(`failure of ${event.payload.call_id}`, event.payload.error ?? null)];
    case "run.failed":
      return [entry("the turn failed", event.payload.error ?? null)];
    case "manager.alerted":
      return ["[a manager was called]"];
    default:
      return [];
  }
}

function entry(who: string, what: Json): string {
  return `${who}: ${cut(plain(what), LONGEST_ENTRY)}`;
}

/** Without secrets, also under names such as `password`. */
function plain(value: Json): string {
  const safe = typeof value === "string" ? redact(value, ["keys"]) : redactJson(value, ["keys"]);
  return typeof safe === "string" ? safe : JSON.stringify(safe);
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)} [${text.length - most} more characters were cut]`;
}

/** The first and the newest lines; of what is between them, how many were left out. */
function bounded(lines: readonly string[]): string {
  const all = lines.join("\n");
  if (all.length <= LONGEST) return all;
  const head: string[] = [];
  const tail: string[] = [];
  let [from, to, size] = [0, lines.length, 0];
  while (from < to) {
    const isHead = head.length <= tail.length;
    const line = (isHead ? lines[from] : lines[to - 1]) ?? "";
    size += line.length + 1;
    if (size > LONGEST) break;
    if (isHead) {
      head.push(line);
      from += 1;
    } else {
      tail.unshift(line);
      to -= 1;
    }
  }
  return [...head, `[${to - from} entries were left out]`, ...tail].join("\n");
}
