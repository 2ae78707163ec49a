import { callKey } from "../keys.ts";
import type { TimelineRow, TimelineRows } from "./timeline.ts";
import type { AgentLane } from "./timeline-layout.ts";
import { isPersonsMessage } from "./timeline-steps.ts";

/** Something with a beginning and an end, both steps; `to` is null while it goes on. */
interface Span {
  from: number;
  to: number | null;
  /** It stands for some that lie there and cannot be told apart. */
  isMany?: true;
}

/** A turn of the agent, or of a delegate within one. */
export interface RunSpan extends Span {
  run: string;
  /** Counted from 1 over the top-level runs; 0 for a run within another. */
  number: number;
  failed: boolean;
}

/** One question to the model. */
export interface ModelSpan extends Span {
  failed: boolean;
  /** What came of it, as far as the log tells. */
  outcome: "plan" | "answer" | null;
}

/** One call, in the track of the tools lane where it overlaps no other. */
export interface CallSpan extends Span {
  tool: string;
  track: number;
  /** It belongs to another instance than the first one seen. */
  otherInstance: boolean;
  failed: boolean;
  /** Each try that failed: where it broke off, and where the next one began (null: not told, or not yet). */
  tries: { brokeOff: number; again: number | null }[];
}

/**
 * What became of a question to a person: a decision, or that it was closed without one, by the end of its run or because
 * the conversation was forked.
 */
export type ApprovalOutcome = "open" | "approved" | "denied" | "closed" | "forked";

/** A question to a person. */
export interface ApprovalSpan extends Span {
  tool: string;
  outcome: ApprovalOutcome;
}

/** The part of a run in which one agent spoke. */
interface AgentTurn extends RunSpan {
  /** It lies within another turn of the same agent: a delegate's of its own. */
  isWithin: boolean;
}

/** What one agent did: when it spoke, what models it asked and which calls it made. */
export interface AgentWork {
  /** "" for steps whose agent nobody tells, and for those of agents past the most that have lanes. */
  agent: string;
  lane: AgentLane;
  turns: AgentTurn[];
  model: ModelSpan[];
  tools: CallSpan[];
  /** How many tracks its calls need. */
  tracks: number;
}

/** What each lane of the timeline shows, by steps; where a step lies is the axis' business. */
export interface Lanes {
  /** Steps at which a person wrote. */
  user: number[];
  agent: RunSpan[];
  model: ModelSpan[];
  tools: CallSpan[];
  approvals: ApprovalSpan[];
  /** The same by agent, in the order in which they came. */
  byAgent: AgentWork[];
  /** How many tracks the tools need, 0 … TRACKS. */
  tracks: number;
}

/** A lane in numbers, counted on with each step. */
export interface LaneTotals {
  count: number;
  failed: number;
  first: number;
  /** The newest step that ended something of it. */
  last: number;
  /** How much of it goes on. */
  open: number;
  /** How long something of it went on, ms, without what goes on since `since`, epoch ms; null where no times are told. */
  busyMs: number | null;
  since: number | null;
}

/** What has to be known to go on with the lanes of a session from a step: all that goes on there, and its lanes in numbers. */
export interface LanesStanding {
  /** The newest step at which a person wrote. */
  written: number;
  made: number | null;
  /** When the step before that was, and the newest one. */
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

/** Of what goes on so much is known at a place, the newest: what never ends would be carried along for ever. */
const MOST_OPEN = 200;

/** Calls that run side by side are packed into at most so many tracks; more cannot be told apart in a lane. */
export const TRACKS = 4;

/** So many agents have lanes of their own: more would only be scrolled through. */
const AGENTS = 30;

const CALL_ENDS: ReadonlySet<string> = new Set(
  ["succeeded", "failed", "skipped", "blocked", "denied", "superseded", "cancelled", "parked"].map(
    (end) => `call.${end}`,
  ),
);

/** A call that ended without a start is drawn where it ended only if it did something. */
const SEEN_WITHOUT_START: ReadonlySet<string> = new Set(["call.succeeded", "call.failed"]);

/** Grows the lanes step by step: what has been added is never looked at again, so live events cost nothing extra. */
export class LanesBuilder {
  readonly lanes: Lanes = { user: [], agent: [], model: [], tools: [], approvals: [], byAgent: [], tracks: 0 };
  readonly #runs = new Map<string, RunSpan>();
  /** The turn of the agent that speaks in each run that goes on. */
  readonly #turns = new Map<string, { work: AgentWork; turn: AgentTurn }>();
  readonly #works = new Map<string, AgentWork>();
  readonly #models = new Map<string, ModelSpan[]>();
  readonly #answered = new Map<string, ModelSpan>();
  readonly #calls = new Map<string, CallSpan>();
  readonly #approvals = new Map<string, ApprovalSpan>();
  readonly #tracks: (CallSpan | null)[] = Array.from({ length: TRACKS }, () => null);
  /** The newest step at which a conversation was made: in a fork, what that caused closes what was open. */
  #made: number | null = null;
  /** When the step before that was, and the newest one. */
  #brought: number | null = null;
  #newest: number | null = null;
  #firstInstance: string | null = null;
  #topRuns = 0;
  /** The newest step at which a person wrote. */
  #written = 0;
  readonly #totals = new Map<string, LaneTotals>();

  /** Begins with what goes on at a place; without one, at the first step. */
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

  /** What has to be known to go on from here. It shares nothing with the lanes. */
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

  /** How many runs are none of another. */
  get topRuns(): number {
    return this.#topRuns;
  }

  /** A lane in numbers, from the session's first step on. */
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

  /** Adds the rows that follow those added before. */
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
      // The slim rows do not name parents: what starts while a turn goes on, and nobody wrote since, is part of it.
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

  /** From here on an agent speaks in a run; whoever did before has ended its turn. */
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

  /** The first plan or message of a run after the model answered is what the answer was. */
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
    // Whoever decides is a person: what the engine denies is closed.
    const isClosed = row.type === "call.cancelled" || (row.type.endsWith(".denied") && row.actor === "system");
    if (isClosed) return this.#isByFork(row) ? "forked" : "closed";
    return row.type.endsWith(".denied") ? "denied" : "approved";
  }

  /** Where something ends: what a fork closed is known to have gone on as long as the source was brought along. */
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

/** A question is about a call; one without a call is the only one of its run. */
function approvalKey({ run, call }: TimelineRow): string {
  return call ? callKey(call.run, 0, call.instance, call.id) : (run ?? "");
}
