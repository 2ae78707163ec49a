import { createHash, randomUUIDv7 } from "node:crypto";
import type { BookmarkStore, Conversations, Events, Log, Sessions } from "../../db/repositories.ts";
import type { Engine, RunMode } from "../engine/engine.ts";
import { InvalidPlan, NotFound, Refused } from "../engine/errors.ts";
import type { ToolDefinition } from "../engine/tools/tool-definition.ts";
import { newEvent } from "../intake/new-event.ts";
import { callIds } from "../plan/call.ts";
import type { PlanProblem } from "../plan/problem.ts";
import type { Bookmark } from "../session/bookmarks.ts";
import type { ForkMode } from "../session/events/catalogue.ts";
import type { JsonObject } from "../session/json/json.ts";
import { choosePlan } from "../session/runs/choose-plan.ts";
import type { Session, View } from "../session/session.ts";
import { fromView } from "../session/view.ts";
import { asRecorded } from "./as-recorded.ts";
import { beginFork } from "./beginning.ts";
import { type Edit, editStates } from "./edits.ts";
import { History } from "./history.ts";
import { hasResult } from "./recording.ts";
import { remainingPlan } from "./remaining-plan.ts";
import { contextOf, readStartPoint } from "./start-point.ts";

/** A request to fork a conversation at a step. */
export interface ForkRequest {
  /** 0 for the state before the first event. */
  at: number;
  /** Null for the source's. */
  title: string | null;
  edits: Edit[];
  /** The plan to run in it; null for the source's. */
  plan: JsonObject[] | null;
}

/** Forks and their runs (E9). */
export interface Forks {
  /**
   * Creates a fork and returns its id. Nothing runs in it. Throws `NotFound`, storage's `OutOfRange`, `InvalidInput`
   * for an invalid edit, and `InvalidPlan`.
   */
  fork(sourceId: string, request: ForkRequest, by: { actor: string; signal: AbortSignal }): Promise<string>;
  /** What a fork at this step would have left to run. Throws `NotFound` and storage's `OutOfRange`. */
  preview(sourceId: string, at: number): Promise<ForkPreview>;
  /**
   * Starts the fork's plan with its state. Without a mode, calls are simulated if the fork's mode says so, else each
   * needs approval; `confirm` and `execute` make the fork execute its calls from then on. `admit` throws if the caller
   * may not use the tools of the original run. Throws `NotFound`, `Refused` if there is nothing to run, and what
   * `Engine.start` throws.
   */
  run(
    forkId: string,
    settings: {
      mode: ForkRunMode | null;
      confirm: string[];
      actor: string;
      admit: (tools: readonly ToolDefinition[]) => void;
    },
  ): Promise<{ conversation_id: string; run_id: string; mode: ForkRunMode }>;
  /**
   * Sets whether the fork's calls are executed or simulated; returns whether the mode changed. Throws `NotFound`, and
   * `Refused` if the conversation is not a fork.
   */
  setMode(forkId: string, mode: ForkMode, actor: string): Promise<{ changed: boolean }>;
}

/** What `run` would start in a fork without edits. */
interface ForkPreview {
  /** The number of remaining calls of the current plan; 0 without a plan. */
  left: number;
  /** Their tools that this server lacks. */
  unknown_tools: UnknownTool[];
}

/** A tool of an external agent, and how many of its calls the source has recorded with results. */
interface UnknownTool {
  name: string;
  recorded: number;
}

/** The modes of a fork's run. */
type ForkRunMode = Extract<RunMode, "shadow" | "confirm" | "execute">;

interface Needs {
  conversations: Pick<Conversations, "get">;
  sessions: Pick<Sessions, "view">;
  bookmarks: Pick<BookmarkStore, "list">;
  events: Pick<Events, "list" | "seqs">;
  log: Pick<Log, "fork" | "appendOwn">;
  engine: Pick<Engine, "validate" | "reachable" | "start">;
}

export function createForks({ conversations, sessions, bookmarks, events, log, engine }: Needs): Forks {
  /** Forks whose run is starting: concurrent requests start one run. */
  const starting = new Set<string>();

  async function sessionAt(id: string, at: number | null): Promise<Session> {
    const answer = await sessions.view(id, at);
    if (answer === null) throw new NotFound(`There is no conversation ${id}`);
    const view: View = JSON.parse(answer);
    return fromView(view);
  }

  /** Bookmarks up to a step, for its fork. */
  async function bookmarksUpTo(id: string, at: number): Promise<Bookmark[]> {
    const all = (await bookmarks.list(id)) ?? [];
    return all.flatMap((one) => (one.seq > at ? [] : { ...one, set_seq: Math.min(one.set_seq, at) }));
  }

  /** Throws `NotFound`, and `Refused` if it is not a fork. */
  async function modeOf(forkId: string): Promise<ForkMode> {
    const conversation = await conversations.get(forkId);
    if (!conversation) throw new NotFound(`There is no conversation ${forkId}`);
    if (conversation.fork_mode === null) throw new Refused(`The conversation ${forkId} is not a fork; fork it first`);
    return conversation.fork_mode;
  }

  async function setMode(forkId: string, mode: ForkMode, actor: string): Promise<{ changed: boolean }> {
    if ((await modeOf(forkId)) === mode) return { changed: false };
    // Only this server's own events count: posted or imported ones never make a fork execute calls.
    const changed = newEvent("fork.mode_changed", { mode }, { id: randomUUIDv7(), conversation_id: forkId, actor });
    await log.appendOwn([{ ...changed, occurred_at: new Date().toISOString() }]);
    return { changed: true };
  }

  /** What is left of a plan at a step; calls of tools that this server lacks are simulated. */
  async function restAt(id: string, session: Session, plan: JsonObject[], mode: ForkRunMode) {
    const point = await readStartPoint(session, id, { conversations, events });
    const { calls, states } = remainingPlan(session, point.run, plan, point.states);
    const given = { tools: point.tools, context: contextOf(point, states), plan: calls };
    const known =
      mode === "shadow" ? { ...given, ...(await asRecorded(engine, given, session, point.recordedTools)) } : given;
    // Of a branch that was decided, the calls of the other alternative cannot be reached.
    const request = { ...known, plan: await engine.reachable(known) };
    const unknown = known.tools
      .slice(given.tools.length)
      .flatMap(({ name }) => (request.plan.some(({ _tool }) => _tool === name) ? [name] : []));
    return { point, request, unknown };
  }

  return {
    async fork(sourceId, { at, title, edits, plan }, { actor, signal }) {
      const session = await sessionAt(sourceId, at);
      const point = await readStartPoint(session, sourceId, { conversations, events });
      const states = editStates(point.states, edits);
      const proposal = plan && { calls: withIds(plan), problems: [] as PlanProblem[] };
      if (proposal) {
        const request = { tools: point.tools, context: contextOf(point, states) };
        const proposed = { ...request, plan: proposal.calls };
        const { plan: known, tools } = await asRecorded(engine, proposed, session, point.recordedTools);
        const { ok, problems } = await engine.validate({ ...request, plan: known, tools });
        if (!ok) throw new InvalidPlan(problems);
        proposal.problems = problems;
      }
      const forkId = randomUUIDv7();
      const history = new History(sourceId, forkId, events);
      const beginning = () =>
        beginFork({
          forkId,
          from: { conversation_id: sourceId, seq: at },
          session,
          title,
          edits,
          proposal,
          renaming: history.renaming,
          run: point.run,
          dialog: history.dialog,
          actor,
        });
      await log.fork(
        {
          conversation_id: forkId,
          length: at,
          bookmarks: await bookmarksUpTo(sourceId, at),
          history: history.pages(at),
          beginning,
        },
        signal,
      );
      return forkId;
    },

    setMode,

    async preview(sourceId, at) {
      const session = await sessionAt(sourceId, at);
      const calls = choosePlan(session, null, null)?.calls ?? [];
      const { request, unknown } = await restAt(sourceId, session, calls, "shadow");
      const known = [...(await sessionAt(sourceId, null)).calls.values()].filter(hasResult);
      return {
        left: request.plan.length,
        unknown_tools: unknown.map((name) => ({ name, recorded: known.filter(({ tool }) => tool === name).length })),
      };
    },

    async run(forkId, { mode: asked, confirm, actor, admit }) {
      if (starting.has(forkId)) throw new Refused(`A run of the fork ${forkId} is already starting; wait for it`);
      starting.add(forkId);
      try {
        const session = await sessionAt(forkId, null);
        const plan = runnable(forkId, session);
        const mode = asked ?? ((await modeOf(forkId)) === "real" ? "confirm" : "shadow");
        const { point, request } = await restAt(forkId, session, plan, mode);
        if (mode !== "shadow") admit(point.tools);
        if (request.plan.length === 0)
          throw new Refused(
            "All calls of the plan have ended at this step; change the plan, or fork at an earlier step",
          );
        const { ok, problems } = await engine.validate(request);
        if (!ok) throw new InvalidPlan(problems);
        if (mode !== "shadow") await setMode(forkId, "real", actor);
        const run = await engine.start({
          ...request,
          ...{ mode, confirm },
          conversation_id: forkId,
          run_id: runIdOf(forkId),
          user_id: point.started?.user_id ?? session.summary.user_id,
          agent_id: point.run?.agent_id ?? session.summary.agent_id,
          concurrency: point.started?.concurrency ?? null,
          max_iterations: null,
          budget: point.started?.budget ?? {},
          output_schema: null,
          // Events without a run belong to the run "".
          continues: point.run?.id || undefined,
          turn: null,
        });
        return { ...run, mode };
      } finally {
        starting.delete(forkId);
      }
    },
  };
}

/** A fork runs its plan once, also if two replicas are asked to at the same time. */
function runIdOf(forkId: string): string {
  const hash = createHash("sha256").update(`fork ${forkId}`).digest("hex");
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join("-");
}

/** The fork's current plan. Throws `Refused` if it is not a fork, has continued since, or has no plan. */
function runnable(forkId: string, session: Session): JsonObject[] {
  if (!session.summary.forked_from)
    throw new Refused(`The conversation ${forkId} is not a fork; fork it, or run a plan with POST /api/plans/run`);
  const plan = choosePlan(session, null, null);
  const newest = session.summary.newest_run;
  if (newest !== null && !newest.startsWith(`${forkId}:`))
    throw new Refused(`The fork ${forkId} has new events; fork the source again to run its plan again`);
  if (!plan) throw new Refused(`The fork ${forkId} has no plan to run; fork with a plan, or send a message`);
  return plan.calls;
}

/** The calls with their ids (P1). */
function withIds(calls: readonly JsonObject[]): JsonObject[] {
  const ids = callIds(calls);
  return calls.map((call, index) => ({ ...call, _id: ids[index] ?? null }));
}
