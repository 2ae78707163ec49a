import { randomUUIDv7 } from "node:crypto";
import type { Events, Log, Sessions } from "../../db/repositories.ts";
import type { Engine, RunMode } from "../engine/engine.ts";
import { InvalidPlan, NotFound, Refused } from "../engine/errors.ts";
import { callIds } from "../plan/call.ts";
import type { PlanProblem } from "../plan/problem.ts";
import type { Bookmark } from "../session/bookmarks.ts";
import { choosePlan } from "../session/choose-plan.ts";
import type { JsonObject } from "../session/json.ts";
import type { Session, View } from "../session/session.ts";
import { fromView } from "../session/view.ts";
import { beginFork } from "./beginning.ts";
import { type Edit, editStates } from "./edits.ts";
import { History } from "./history.ts";
import { restOfPlan } from "./rest-of-plan.ts";
import { contextOf, readStartPoint, toolsOf } from "./start-point.ts";

/** A conversation that is to go on from a step of another. */
export interface ForkRequest {
  /** 0 for what there was before the first event. */
  at: number;
  /** Null for the source's. */
  title: string | null;
  edits: Edit[];
  /** What is to be run in it; null for nothing but what the source had in hand. */
  plan: JsonObject[] | null;
}

/** Forks of conversations, and what is run in them (E9). */
export interface Forks {
  /**
   * Makes a fork and gives its id. Nothing runs in it. Throws `NotFound`, storage's `OutOfRange`, `InvalidInput` for an
   * edit that cannot be, and `InvalidPlan`.
   */
  fork(sourceId: string, request: ForkRequest, by: { actor: string; signal: AbortSignal }): Promise<string>;
  /**
   * Starts the fork's plan on its state, because a person says so. Throws `NotFound`, `Refused` where there is nothing to
   * run, and what `Engine.start` throws.
   */
  run(
    forkId: string,
    settings: { mode: RunMode; confirm: string[] },
  ): Promise<{ conversation_id: string; run_id: string }>;
}

interface Needs {
  sessions: Pick<Sessions, "view" | "bookmarks">;
  events: Pick<Events, "list" | "seqs">;
  log: Pick<Log, "fork">;
  engine: Pick<Engine, "validate" | "start">;
}

export function createForks({ sessions, events, log, engine }: Needs): Forks {
  /** Forks whose run is about to begin: asked twice at once, it begins once. */
  const starting = new Set<string>();

  async function sessionAt(id: string, at: number | null): Promise<Session> {
    const answer = await sessions.view(id, at);
    if (answer === null) throw new NotFound(`There is no conversation ${id}`);
    const view: View = JSON.parse(answer);
    return fromView(view);
  }

  /** Bookmarks of the steps up to one that were set after it; the others come along with the history. */
  async function bookmarksUpTo(id: string, at: number): Promise<Bookmark[]> {
    const bookmarks = (await sessions.bookmarks(id)) ?? [];
    return bookmarks.filter(({ seq, set_seq }) => seq <= at && set_seq > at);
  }

  return {
    async fork(sourceId, { at, title, edits, plan }, { actor, signal }) {
      const session = await sessionAt(sourceId, at);
      const point = await readStartPoint(session, sourceId, events);
      const states = editStates(point.states, edits);
      const proposal = plan && { calls: withIds(plan), problems: [] as PlanProblem[] };
      if (proposal) {
        const context = contextOf(point, states);
        const { ok, problems } = engine.validate({ plan: proposal.calls, tools: toolsOf(point), context });
        if (!ok) throw new InvalidPlan(problems);
        proposal.problems = problems;
      }
      const bookmarks = await bookmarksUpTo(sourceId, at);
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
          bookmarks,
          actor,
        });
      await log.fork({ conversation_id: forkId, length: at, history: history.pages(at), beginning }, signal);
      return forkId;
    },

    async run(forkId, settings) {
      if (starting.has(forkId)) throw new Refused(`A run of the fork ${forkId} is being started`);
      starting.add(forkId);
      try {
        const session = await sessionAt(forkId, null);
        const plan = runnable(forkId, session);
        const point = await readStartPoint(session, forkId, events);
        const { calls, states } = restOfPlan(session, point.run, plan, point.states);
        const request = { tools: toolsOf(point), context: contextOf(point, states) };
        const rest = reachable(calls, (some) => engine.validate({ plan: some, ...request }).problems);
        if (rest.length === 0)
          throw new Refused("All of the plan is done at this step; change the plan or fork earlier");
        return await engine.start({
          ...request,
          ...settings,
          plan: rest,
          conversation_id: forkId,
          user_id: point.started?.user_id ?? session.summary.user_id,
          agent_id: point.run?.agent_id ?? session.summary.agent_id,
          concurrency: point.started?.concurrency ?? null,
          max_iterations: null,
          budget: point.started?.budget ?? {},
          output_schema: null,
          turn: null,
        });
      } finally {
        starting.delete(forkId);
      }
    },
  };
}

/** The plan that a fork has in hand. Throws `Refused` where it is no fork, has gone on since, or has none. */
function runnable(forkId: string, session: Session): JsonObject[] {
  if (!session.summary.forked_from)
    throw new Refused(`The conversation ${forkId} is no fork; fork it, or run a plan with POST /api/plans/run`);
  const plan = choosePlan(session, null, null);
  const newest = session.summary.newest_run;
  if (newest !== null && !newest.startsWith(`${forkId}:`))
    throw new Refused(`The fork ${forkId} has gone on since it was made; fork it again to run its plan again`);
  if (!plan) throw new Refused(`The fork ${forkId} has no plan to run; fork with a plan, or write a message`);
  return plan.calls;
}

/**
 * The calls that can be reached when those that are done are left out: of a branch that was decided, what the other
 * alternative would have led to cannot.
 */
function reachable(calls: JsonObject[], validate: (calls: JsonObject[]) => readonly PlanProblem[]): JsonObject[] {
  let left = calls;
  for (;;) {
    const unbound = new Set(
      validate(left).flatMap(({ code, severity, call }) => (code === "unbound" && severity === "error" ? [call] : [])),
    );
    if (unbound.size === 0) return left;
    left = left.filter(({ _id }) => typeof _id !== "string" || !unbound.has(_id));
  }
}

/** The calls with the ids by which they are known (P1). */
function withIds(calls: readonly JsonObject[]): JsonObject[] {
  const ids = callIds(calls);
  return calls.map((call, index) => ({ ...call, _id: ids[index] ?? null }));
}
