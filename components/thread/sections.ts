import { instanceOf, isInInstance, rootRun, topLevelRuns } from "@/components/selection/resolve-selection.ts";
import { callKey } from "@/lib/session/keys.ts";
import type { Alert, Call, Confirmation, Message, Run, Session, Warning } from "@/lib/session/session.ts";
import type { TimelineRows } from "@/lib/session/timeline/timeline.ts";
import { type CallRow, rowsOf } from "./call-rows.ts";
import { memoryWarnings } from "./message/memory-warnings.ts";

/** Events whose details are only in the timeline's rows. */
const MARKS = ["stage.changed", "conversation.taken_over", "conversation.handed_back"] as const;
export type MarkType = (typeof MARKS)[number];
export interface SessionMark {
  seq: number;
  type: MarkType;
}

/** An entry of the thread, ordered by `seq`. */
export type Entry =
  | { kind: "message"; seq: number; message: Message }
  | { kind: "calls"; seq: number; rows: CallRow[] }
  | { kind: "ask"; seq: number; confirmation: Confirmation; call: Call | null }
  | { kind: "alert"; seq: number; alert: Alert }
  | { kind: "warning"; seq: number; warning: Warning }
  | { kind: "check"; seq: number; warnings: string[] }
  | ({ kind: "mark" } & SessionMark);

/** A run with its messages and entries; `run` is null for entries without one. */
export interface Section {
  id: string;
  run: Run | null;
  /** The position among top-level runs, from 1; 0 without a run. */
  number: number;
  entries: Entry[];
  /** Steps from the run's first to its last; 0 without a run. */
  steps: number;
  calls: number;
  /** It is collapsed by default. */
  folded: boolean;
  /** Milliseconds since the previous run ended; null for the first, or without times. */
  later: number | null;
}

type Placed = Exclude<Entry, { kind: "calls" }> | { kind: "call"; seq: number; row: CallRow };

const NO_MARKS: readonly SessionMark[] = [];

/**
 * The marks of a whole session in order, including those after the current step. Without marks it is the same array, so
 * that the thread is not rendered again when the timeline loads.
 */
export function marksOf(timeline: TimelineRows | null): readonly SessionMark[] {
  const marks: SessionMark[] = [];
  for (const { seq, type } of timeline ?? []) {
    const mark = MARKS.find((one) => one === type);
    if (mark) marks.push({ seq, type: mark });
  }
  return marks.length === 0 ? NO_MARKS : marks;
}

/**
 * Groups a session by run, in order of steps (C3), up to the session's step. Calls of other instances are left out,
 * pending confirmations are not.
 */
export function sectionsOf(session: Session, marks: readonly SessionMark[], instance: string): Section[] {
  const runs = topLevelRuns(session);
  const sections = runs.map((run, index) => emptySection(session, run, index, runs[index - 1]));
  const trailing: Section = {
    id: "trailing",
    run: null,
    number: 0,
    entries: [],
    steps: 0,
    calls: 0,
    folded: false,
    later: null,
  };
  const byRun = new Map(sections.map((section) => [section.id, section]));
  const placed = new Map<Section, Placed[]>();
  for (const [item, runId] of things(session, marks, instance)) {
    const root = runId === null ? null : rootRun(session, runId);
    const section = (root && byRun.get(root.id)) ?? sectionAt(sections, item, isTakenAt(marks, item.seq)) ?? trailing;
    const items = placed.get(section);
    if (items) items.push(item);
    else placed.set(section, [item]);
  }
  const all = placed.has(trailing) ? [...sections, trailing] : sections;
  for (const section of all) {
    const items = (placed.get(section) ?? []).sort((a, b) => a.seq - b.seq);
    section.entries = grouped(items);
    section.calls = items.filter(({ kind }) => kind === "call").length;
  }
  foldEarlier(session, sections);
  return all;
}

function emptySection(session: Session, run: Run, index: number, before: Run | undefined): Section {
  return {
    id: run.id,
    run,
    number: session.runs_before + index + 1,
    entries: [],
    steps: Math.max(1, (run.ended_seq ?? session.at) - run.started_seq + 1),
    calls: 0,
    folded: false,
    later: elapsed(before?.ended_at ?? before?.started_at ?? null, run.started_at),
  };
}

/** The most runs that are expanded besides the last one. */
const OPEN_RUNS = 20;
/** Runs with more rows are collapsed, also without a plan. */
const OPEN_ROWS = 20;

/**
 * Collapses ended runs: the newest and those that are running or waiting stay expanded, and so do small runs without a
 * plan, such as turns of an imported chat.
 */
function foldEarlier(session: Session, sections: Section[]): void {
  const planned = new Set([...session.plans.values()].map(({ run_id }) => run_id));
  for (const [index, section] of sections.slice(0, -1).entries()) {
    const isLong = section.entries.length + section.calls > OPEN_ROWS;
    const isOld = index < sections.length - OPEN_RUNS;
    section.folded = section.run?.ended_seq !== null && (isLong || isOld || planned.has(section.id));
  }
}

/** The newest sections, back to the first expanded one. */
export function newestOf(sections: readonly Section[]): readonly Section[] {
  const open = sections.findIndex(({ folded }) => !folded);
  return sections.slice(Math.min(Math.max(sections.length - OPEN_RUNS, 0), open === -1 ? sections.length : open));
}

/** What a collapsed section still shows: messages and decisions of people, take-overs, alerts, and the final answer. */
export function talkOf({ entries }: Pick<Section, "entries">): Entry[] {
  const answer = entries.findLast((entry) => isSaid(entry, (role) => role === "assistant"));
  return entries.filter((entry) => entry === answer || isOfPeople(entry));
}

function isOfPeople(entry: Entry): boolean {
  if (entry.kind === "ask" || entry.kind === "alert") return true;
  if (entry.kind === "mark") return /^conversation\.(taken_over|handed_back)$/.test(entry.type);
  return isSaid(entry, (role) => role === "user" || role === "operator");
}

function isSaid(entry: Entry, by: (role: string) => boolean): boolean {
  return entry.kind === "message" && by(entry.message.role);
}

/** All entries, with the run that they name. */
function* things(
  session: Session,
  marks: readonly SessionMark[],
  instance: string,
): Generator<[Placed, string | null]> {
  const tools = new Set<string>();
  for (const { tool } of session.calls.values()) tools.add(tool);
  for (const message of session.messages) {
    if (isRead(message, tools)) yield [{ kind: "message", seq: message.seq, message }, message.run_id];
  }
  const calls = [...session.calls.values()].filter((call) =>
    isInInstance({ instance: instanceOf(session, call) }, instance),
  );
  for (const row of rowsOf(session, calls)) yield [{ kind: "call", seq: row.seq, row }, row.call.run_id ?? ""];
  for (const confirmation of session.confirmations.values()) {
    if (confirmation.requested_seq === null) continue;
    const call = callOf(session, confirmation);
    yield [{ kind: "ask", seq: confirmation.requested_seq, confirmation, call }, confirmation.run_id];
  }
  for (const alert of session.alerts) yield [{ kind: "alert", seq: alert.seq, alert }, alert.run_id];
  for (const warning of session.warnings) {
    if (isFault(warning)) yield [{ kind: "warning", seq: warning.seq, warning }, warning.run_id];
  }
  yield* checks(session);
  for (const mark of marks) if (mark.seq <= session.at) yield [{ kind: "mark", ...mark }, null];
}

/** Warnings about the log, except unknown types and an agent's own log entries. */
function isFault({ code }: Warning): boolean {
  return code !== "unknown_type" && code !== "self_check";
}

/** Messages with text. A tool message is shown by its call's row, if there is one. */
function isRead(message: Message, tools: ReadonlySet<string>): boolean {
  if (message.content === "") return false;
  return message.role !== "tool" || (message.name !== null ? !tools.has(message.name) : tools.size === 0);
}

/** Self-checks by step; those that a later answer of their run includes are shown there (M10). */
function* checks({ messages, warnings }: Session): Generator<[Placed, string | null]> {
  const toldAt = new Map(
    messages.flatMap((message) => memoryWarnings(message).map((told) => [keyIn(message.run_id, told), message.seq])),
  );
  const untold = warnings.filter(
    ({ code, run_id, message, seq }) => code === "self_check" && (toldAt.get(keyIn(run_id, message)) ?? 0) < seq,
  );
  for (const [seq, found] of Map.groupBy(untold, (warning) => warning.seq))
    yield [{ kind: "check", seq, warnings: found.map(({ message }) => message) }, found[0]?.run_id ?? null];
}

/** The text and the run: another run may have the same text. */
function keyIn(runId: string | null, said: string): string {
  return `${runId ?? ""}\u0000${said}`;
}

/** Whether a manager answers at a step: then a user's message starts no run (D11). */
function isTakenAt(marks: readonly SessionMark[], seq: number): boolean {
  return marks.findLast((mark) => mark.seq <= seq && mark.type !== "stage.changed")?.type === "conversation.taken_over";
}

/** The run of an entry without one: for a user's message the run that it started, else the run at that step. */
function sectionAt(sections: readonly Section[], item: Placed, taken: boolean): Section | null {
  const startedBy = sections.findLast(({ run }) => run !== null && run.started_seq <= item.seq) ?? null;
  const next = sections.find(({ run }) => run !== null && run.started_seq > item.seq) ?? null;
  const opensRun = item.kind === "message" && item.message.role === "user" && !taken;
  if (!opensRun) return startedBy ?? next;
  if (next) return next;
  const over = startedBy?.run?.ended_seq ?? null;
  return over !== null && over < item.seq ? null : startedBy;
}

function callOf(session: Session, { run_id, iteration, instance, call_id }: Confirmation): Call | null {
  return call_id === null ? null : (session.calls.get(callKey(run_id, iteration, instance, call_id)) ?? null);
}

/** Splits an entry with many rows: the browser lays out entry by entry. */
const ROWS = 40;

function grouped(items: readonly Placed[]): Entry[] {
  const entries: Entry[] = [];
  for (const item of items) {
    if (item.kind !== "call") {
      entries.push(item);
      continue;
    }
    const open = entries.at(-1);
    if (open?.kind === "calls" && open.rows.length < ROWS) open.rows.push(item.row);
    else entries.push({ kind: "calls", seq: item.seq, rows: [item.row] });
  }
  return entries;
}

function elapsed(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Date.parse(to) - Date.parse(from);
}
