import type { EventOf } from "../../event.ts";
import { citeText } from "../../json/cite.ts";
import { isOfChannel } from "../../json/reserved-names.ts";
import type { Folding } from "../../reducer/folding.ts";
import { isOpen } from "../../runs/open-runs.ts";
import type { Summary } from "../../session.ts";
import { ERASED, type Family, RECORDED } from "./family.ts";

const SUBJECT_LENGTH = 120;
const PREVIEW_LENGTH = 160;

/** Messages. */
export const MESSAGE_EVENTS = {
  "message.created": {
    ...RECORDED,
    stop: "message",
    steers: true,
    // A person's message in a channel is sent to its user, also in the agent's place.
    authority: ({ role }, { conversation_id }) =>
      role === "operator" || (role !== "user" && conversation_id !== null && isOfChannel(conversation_id))
        ? "decide"
        : "ingest",
    structure: { message_id: "id", role: "kept", content: { put: ERASED }, tool_call_id: "id" },
    unsearched: ["message_id", "role", "tool_call_id"],
    fold: foldMessage,
    summarize: summarizeMessage,
  },
} as const satisfies Family<"message.created">;

/** Adds a message to the thread. */
function foldMessage(folding: Folding, event: EventOf<"message.created">): void {
  const { message_id, role, content, name, metadata } = event.payload;
  folding.addMessage({
    id: message_id,
    seq: event.seq,
    role,
    content: citeText(event, "/content", content),
    name: name ?? null,
    run_id: event.run_id,
    created_at: event.occurred_at,
    metadata: metadata ?? null,
  });
}

function summarizeMessage(next: Summary, event: EventOf<"message.created">): void {
  const { role, content, name } = event.payload;
  next.message_count += 1;
  // A message within a run is answered in it.
  if (role !== "system")
    next.asked = role === "user" && !isOpen(next, event.run_id) && (event.run_id ?? "") !== next.newest_run;
  const text = oneLine(content);
  if (role === "user") {
    next.subject ??= cut(text, SUBJECT_LENGTH) || null;
    if (event.actor?.startsWith("user:")) next.user_id ??= event.actor.slice("user:".length);
  }
  if (text !== "" && role !== "system") next.preview = { role, name: name ?? null, text: cut(text, PREVIEW_LENGTH) };
}

// A row shows its first words, so only the start of a long text is examined.
const LOOK_AHEAD = 1_000;

function oneLine(text: string): string {
  // The last character may have been cut in two.
  return text.slice(0, LOOK_AHEAD).toWellFormed().replace(/\s+/gu, " ").trim();
}

/** Cuts between code points, with an ellipsis. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const points = Array.from(text.slice(0, length * 2).toWellFormed());
  return points.length <= length
    ? text
    : `${points
        .slice(0, length - 1)
        .join("")
        .trimEnd()}…`;
}
