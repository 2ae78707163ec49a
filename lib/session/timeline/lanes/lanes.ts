import { callKey } from "../../keys.ts";
import { isPersonsMessage } from "../steps.ts";
import type { TimelineRow, TimelineRows } from "../timeline.ts";
import type { AgentLane } from "./layout.ts";

/** A range of steps; `to` is null while it is active. */
interface Span {
  from: number;
  to: number | null;
  /** It represents several that cannot be distinguished. */
  isMany?: true;
}

/** A run of the agent, or of a delegate in it. */
export interface RunSpan extends Span {
  run: string;
  /** Numbered from 1 over the top-level runs; 0 for other runs. */
  number: number;
  failed: boolean;
}

/** A request to the model. */
export interface ModelSpan extends Span {
  failed: boolean;
  /** Its result, if recorded. */
  outcome: "plan" | "answer" | null;
}

/** A call, in a track of the tools lane without overlaps. */
export interface CallSpan extends Span {
  tool: string;
  track: number;
  /** Its instance is not the first one seen. */
  otherInstance: boolean;
  failed: boolean;
  /** The failed attempts: where each failed, and where the next one started (null: unknown, or not yet). */
  tries: { brokeOff: number; again: number | null }[];
}

/** The result of a confirmation: a decision, or closed without one, by the end of its run or a fork. */
export type ApprovalOutcome = "open" | "approved" | "denied" | "closed" | "forked";

/** A confirmation. */
export interface ApprovalSpan extends Span {
  tool: string;
  outcome: ApprovalOutcome;
}

/** The part of a run with one speaker. */
interface AgentTurn extends RunSpan {
  /** It is within another run of the same agent: its own delegate's. */
  isWithin: boolean;
}

/** The runs, model requests and calls of an agent. */
export interface AgentWork {
  /** "" for steps without a known agent, and for agents above the maximum of lanes. */
  agent: string;
  lane: AgentLane;
  turns: AgentTurn[];
  model: ModelSpan[];
  tools: CallSpan[];
  /** The number of tracks for its calls. */
  tracks: number;
}

/** The content of the timeline's lanes, by steps; the axis has their positions. */
export interface Lanes {
  /** Steps with messages of people. */
  user: number[];
  agent: RunSpan[];
  model: ModelSpan[];
  tools: CallSpan[];
  approvals: ApprovalSpan[];
  /** The same by agent, in order of appearance. */
  byAgent: AgentWork[];
  /** The number of tracks for the tools, 0 … TRACKS. */
  tracks: number;
}

/** The numbers of a lane, updated with each step. */
export interface LaneTotals {
  count: number;
  failed: number;
  first: number;
  /** The newest step at which an item ended. */
  last: number;
  /** The number of active items. */
  open: number;
  /** The total duration, ms, without items active since `since`, epoch ms; null without times. */
  busyMs: number | null;
  since: number | null;
}

/** The state needed to continue the lanes of a session from a step: all active items, and the numbers of lanes. */
export interface LanesStanding {
  /** The newest step with a person's message. */
  written: number;
  made: number | null;
  /** The times of the last two steps. */
  brought: number | null;
  newest: number | null;
  firstInstance: string | null;
  topRuns: number;
  tracks: number;
  runs: RunSpan[];
  turns: { run: string; agent: string; turn: AgentTurn }[];
  models: { run: string; agent: string; span: ModelSpan }[];
  calls: { key: string; agent: string; span: CallSpan }[];
  approvals: { key: string; span: ApprovalSpan }[];
  agents: { agent: string; tracks: number }[];
  totals: Record<string, LaneTotals>;
}

/** The maximum number of active items kept, the newest: those that never end would be kept forever. */
const MOST_OPEN = 200;

/** The maximum number of tracks for concurrent calls; more cannot be distinguished in a lane. */
export const TRACKS = 4;

/** The maximum number of agents with lanes of their own. */
const AGENTS = 30;

const CALL_ENDS: ReadonlySet<string> = new Set(
  ["succeeded", "failed", "skipped", "blocked", "denied", "superseded", "cancelled", "parked"].map(
    (end) => `call.${end}`,
  ),
);

/** A call that ended without a start is drawn only if it was executed. */
const SEEN_WITHOUT_START: ReadonlySet<string> = new Set(["call.succeeded", "call.failed"]);

/** Builds the lanes incrementally: earlier steps are not processed again, so live events are cheap. */
export class LanesBuilder {
  readonly lanes: Lanes = { user: [], agent: [], model: [], tools: [], approvals: [], byAgent: [], tracks: 0 };
  readonly #runs = new Map<string, RunSpan>();
  /** The speaker's part of each open run. */
  readonly #turns = new Map<string, { work: AgentWork; turn: AgentTurn }>();
  readonly #works = new Map<string, AgentWork>();
  readonly #models = new Map<string, ModelSpan[]>();
  readonly #answered = new Map<string, ModelSpan>();
  readonly #calls = new Map<string, CallSpan>();
  readonly #approvals = new Map<string, ApprovalSpan>();
  readonly #tracks: (CallSpan | null)[] = Array.from({ length: TRACKS }, () => null);
  /** The newest step that created a conversation: events that a fork's creation caused close what was open. */
  #made: number | null = null;
  /** The times of the last two steps. */
  #brought: number | null = null;
  #newest: number | null = null;
  #firstInstance: string | null = null;
  #topRuns = 0;
  /** The newest step with a person's message. */
  #written = 0;
  readonly #totals = new Map<string, LaneTotals>();

  /** Starts with a stored state; without one, at the first step. */
  constructor(standing?: LanesStanding) {
    if (standing) this.#begin(structuredClone(standing));
  }

  #begin(standing: LanesStanding): void {
    this.#written = standing.written;
    this.#made = standing.made;
    this.#brought = standing.brought;
    this.#newest = standing.newest;
    this.#firstInstance = standing.firstInstance;
    this.#topRuns = standing.topRuns;
    this.lanes.tracks = standing.tracks;
    for (const { agent, tracks } of standing.agents) this.#workNamed(agent).tracks = tracks;
    for (const run of standing.runs) {
      this.#runs.set(run.run, run);
      this.lanes.agent.push(run);
    }
    for (const { run, agent, turn } of standing.turns) {
      const work = this.#workNamed(agent);
      work.turns.push(turn);
      this.#turns.set(run, { work, turn });
    }
    for (const { run, agent, span } of standing.models) {
      this.#models.set(run, [...(this.#models.get(run) ?? []), span]);
      this.lanes.model.push(span);
      this.#workNamed(agent).model.push(span);
    }
    for (const { key, agent, span } of standing.calls) {
      this.#calls.set(key, span);
      this.#tracks[span.track] = span;
      this.lanes.tools.push(span);
      this.#workNamed(agent).tools.push(span);
    }
    for (const { key, span } of standing.approvals) {
      this.#approvals.set(key, span);
      this.lanes.approvals.push(span);
    }
    for (const [lane, totals] of Object.entries(standing.totals)) this.#totals.set(lane, totals);
  }

  /** The state needed to continue. It shares nothing with the lanes. */
  standing(): LanesStanding {
    const agentOf = (has: (work: AgentWork) => boolean) => this.lanes.byAgent.find(has)?.agent ?? "";
    return structuredClone({
      written: this.#written,
      made: this.#made,
      brought: this.#brought,
      newest: this.#newest,
      firstInstance: this.#firstInstance,
      topRuns: this.#topRuns,
      tracks: this.lanes.tracks,
      runs: [...this.#runs.values()].slice(-MOST_OPEN),
      turns: [...this.#turns].slice(-MOST_OPEN).map(([run, { work, turn }]) => ({ run, agent: work.agent, turn })),
      models: [...this.#models]
        .flatMap(([run, spans]) => spans.map((span) => ({ run, span })))
        .slice(-MOST_OPEN)
        .map((open) => ({ ...open, agent: agentOf(({ model }) => model.includes(open.span)) })),
      calls: [...this.#calls]
        .slice(-MOST_OPEN)
        .map(([key, span]) => ({ key, span, agent: agentOf(({ tools }) => tools.includes(span)) })),
      approvals: [...this.#approvals].slice(-MOST_OPEN).map(([key, span]) => ({ key, span })),
      agents: this.lanes.byAgent.map(({ agent, tracks }) => ({ agent, tracks })),
      totals: Object.fromEntries(this.#totals),
    });
  }

  /** The number of top-level runs. */
  get topRuns(): number {
    return this.#topRuns;
  }

  /** The numbers of a lane since the session's first step. */
  totals(lane: string): LaneTotals {
    const known = this.#totals.get(lane);
    if (known) return known;
    const totals = { count: 0, failed: 0, first: 0, last: 0, open: 0, busyMs: 0, since: null };
    this.#totals.set(lane, totals);
    return totals;
  }

  #opens(row: TimelineRow, ...lanes: string[]): void {
    for (const lane of lanes) {
      const totals = this.totals(lane);
      totals.count += 1;
      totals.first ||= row.seq;
      totals.open += 1;
      if (totals.open === 1) totals.since = row.time;
      if (row.time === null) totals.busyMs = null;
    }
  }

  #ends(row: TimelineRow, ...lanes: string[]): void {
    const time = this.#isByFork(row) ? this.#brought : row.time;
    for (const lane of lanes) {
      const totals = this.totals(lane);
      totals.last = this.#endAt(row);
      if (row.error && lane !== "approvals") totals.failed += 1;
      totals.open = Math.max(totals.open - 1, 0);
      if (totals.open > 0) continue;
      if (totals.busyMs === null || totals.since === null || time === null) totals.busyMs = null;
      else totals.busyMs += Math.max(time - totals.since, 0);
      totals.since = null;
    }
  }

  /** Adds the next rows. */
  add(rows: TimelineRows): Lanes {
    for (const row of rows) {
      this.#addRow(row);
      this.#newest = row.time;
    }
    return this.lanes;
  }

  #addRow(row: TimelineRow): void {
    const [group] = row.type.split(".", 1);
    switch (group) {
      case "message":
        return this.#addMessage(row);
      case "run":
        return this.#addRun(row);
      case "model":
        return this.#addModel(row);
      case "plan":
        if (row.type === "plan.proposed") this.#tellOutcome(row, "plan");
        return;
      case "call":
        return this.#addCall(row);
      case "conversation":
        if (row.type === "conversation.created") {
          this.#made = row.seq;
          this.#brought = this.#newest;
        }
        return;
      case "manager":
        if (row.type === "manager.alerted") this.totals("alerts").count += 1;
        return;
      case "confirmation":
        if (row.type === "confirmation.requested") this.totals("asked").count += 1;
        return row.type === "confirmation.requested" ? this.#ask(row) : this.#end(row, this.#outcomeOf(row));
      default:
        return;
    }
  }

  #addMessage(row: TimelineRow): void {
    if (!isPersonsMessage(row)) return this.#tellOutcome(row, "answer");
    this.lanes.user.push(row.seq);
    this.#written = row.seq;
    const totals = this.totals("user");
    totals.count += 1;
    totals.first ||= row.seq;
    totals.last = row.seq;
  }

  #addRun(row: TimelineRow): void {
    const key = row.run ?? "";
    const known = this.#runs.get(key);
    if (row.type === "run.started" && !known) {
      // Rows do not have parents: a run that starts during another one, without a message from a person in between,
      // belongs to it.
      const within = [...this.#runs.values()].some((run) => run.number > 0 && run.from > this.#written);
      const span = { from: row.seq, to: null, run: key, number: within ? 0 : ++this.#topRuns, failed: false };
      this.#runs.set(key, span);
      this.lanes.agent.push(span);
      this.#opens(row, "agent");
      this.#speak(row, span);
    } else if (known && row.type === "run.iteration") {
      const turn = this.#turns.get(key);
      if (turn && turn.work !== this.#workOf(row)) this.#speak(row, known);
    } else if (known && /\.(finished|failed|cancelled)$/.test(row.type)) {
      known.to = this.#endAt(row);
      known.failed = row.type === "run.failed";
      this.#runs.delete(key);
      this.#ends(row, "agent");
      const { turn, work } = this.#turns.get(key) ?? {};
      if (turn) Object.assign(turn, { to: known.to, failed: known.failed });
      if (work) this.#ends(row, work.lane);
      this.#turns.delete(key);
      if ((this.#models.get(key)?.length ?? 0) === 0) this.#models.delete(key);
    }
  }

  /** A new speaker of a run; the previous one's part ends. */
  #speak(row: TimelineRow, { run, number }: RunSpan): void {
    const before = this.#turns.get(run);
    if (before) {
      before.turn.to = row.seq;
      this.#ends(row, before.work.lane);
    }
    const work = this.#workOf(row);
    const isWithin = work.turns.some(({ to }) => to === null);
    const turn = { from: row.seq, to: null, run, number, failed: false, isWithin };
    work.turns.push(turn);
    this.#turns.set(run, { work, turn });
    this.#opens(row, work.lane);
  }

  #workOf({ agent: named }: TimelineRow): AgentWork {
    return this.#workNamed(named !== null && (this.#works.has(named) || this.#works.size < AGENTS) ? named : "");
  }

  #workNamed(agent: string): AgentWork {
    const known = this.#works.get(agent);
    if (known) return known;
    const work: AgentWork = { agent, lane: `agent:${agent}`, turns: [], model: [], tools: [], tracks: 1 };
    this.#works.set(agent, work);
    this.lanes.byAgent.push(work);
    return work;
  }

  #addModel(row: TimelineRow): void {
    const key = row.run ?? "";
    const open = this.#models.get(key) ?? [];
    if (row.type === "model.requested") {
      const span: ModelSpan = { from: row.seq, to: null, failed: false, outcome: null };
      this.lanes.model.push(span);
      this.#workOf(row).model.push(span);
      this.#models.set(key, [...open, span]);
      this.#opens(row, "model");
      return;
    }
    const failed = row.type === "model.failed";
    const span = open.shift();
    if (span) Object.assign(span, { to: row.seq, failed });
    const answered = span ?? { from: row.seq, to: row.seq, failed, outcome: null };
    if (!span) {
      this.lanes.model.push(answered);
      this.#workOf(row).model.push(answered);
      this.#opens(row, "model");
    }
    this.#ends(row, "model");
    this.#answered.set(key, answered);
  }

  /** The result of a model request is the first plan or message of the run after it. */
  #tellOutcome(row: TimelineRow, outcome: "plan" | "answer"): void {
    const key = row.run ?? "";
    const answered = this.#answered.get(key);
    if (answered) answered.outcome = outcome;
    this.#answered.delete(key);
  }

  #addCall(row: TimelineRow): void {
    if (!row.call) return;
    const { call } = row;
    const key = callKey(call.run, call.iteration, call.instance, call.id);
    const known = this.#calls.get(key);
    if (row.type === "call.started") {
      this.#end(row, "approved");
      const waiting = known?.tries.at(-1);
      if (!known) this.#calls.set(key, this.#place(row, call));
      else if (waiting) waiting.again ??= row.seq;
    } else if (row.type === "call.retried") {
      known?.tries.push({ brokeOff: row.seq, again: null });
    } else if (CALL_ENDS.has(row.type)) {
      this.#endCall(row, key, call);
    }
  }

  #endCall(row: TimelineRow, key: string, call: NonNullable<TimelineRow["call"]>): void {
    if (row.type === "call.parked") this.#ask(row);
    else this.#end(row, this.#outcomeOf(row));
    const span = this.#calls.get(key) ?? (SEEN_WITHOUT_START.has(row.type) ? this.#place(row, call) : null);
    if (!span) return;
    span.to = this.#endAt(row);
    span.failed = row.type === "call.failed";
    this.#calls.delete(key);
    this.#ends(row, "tools");
  }

  #place(row: TimelineRow, call: NonNullable<TimelineRow["call"]>): CallSpan {
    const { seq } = row;
    const free = this.#tracks.findIndex((busy) => busy === null || (busy.to !== null && busy.to <= seq));
    const track = free === -1 ? TRACKS - 1 : free;
    if (call.instance !== "") this.#firstInstance ??= call.instance;
    const otherInstance = call.instance !== "" && call.instance !== this.#firstInstance;
    const span: CallSpan = { from: seq, to: null, tool: call.tool, track, otherInstance, failed: false, tries: [] };
    this.#tracks[track] = span;
    this.lanes.tools.push(span);
    this.#opens(row, "tools");
    const work = this.#workOf(row);
    work.tools.push(span);
    work.tracks = Math.max(work.tracks, track + 1);
    this.lanes.tracks = Math.max(this.lanes.tracks, track + 1);
    return span;
  }

  #ask(row: TimelineRow): void {
    const key = approvalKey(row);
    if (this.#approvals.has(key)) return;
    const span = { from: row.seq, to: null, tool: row.call?.tool ?? "", outcome: "open" as const };
    this.#approvals.set(key, span);
    this.lanes.approvals.push(span);
    this.#opens(row, "approvals");
  }

  #outcomeOf(row: TimelineRow): ApprovalOutcome {
    // Decisions are by people: a confirmation that the engine denies is closed.
    const isClosed = row.type === "call.cancelled" || (row.type.endsWith(".denied") && row.actor === "system");
    if (isClosed) return this.#isByFork(row) ? "forked" : "closed";
    return row.type.endsWith(".denied") ? "denied" : "approved";
  }

  /** Where an item ends: one that a fork closed was active to the end of the source's history. */
  #endAt(row: TimelineRow): number {
    return this.#made !== null && this.#isByFork(row) ? this.#made - 1 : row.seq;
  }

  #isByFork({ cause }: TimelineRow): boolean {
    return cause !== null && cause === this.#made;
  }

  #end(row: TimelineRow, outcome: ApprovalOutcome): void {
    const key = approvalKey(row);
    const span = this.#approvals.get(key);
    if (!span) return;
    span.to = this.#endAt(row);
    span.outcome = outcome;
    this.#approvals.delete(key);
    this.#ends(row, "approvals");
  }
}

/** A confirmation is about a call; one without a call is the only one of its run. */
function approvalKey({ run, call }: TimelineRow): string {
  return call ? callKey(call.run, 0, call.instance, call.id) : (run ?? "");
}
