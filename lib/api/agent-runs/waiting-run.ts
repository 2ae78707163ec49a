import { actorOf, type Caller } from "../../access/caller.ts";
import type { AskedCall, CallAnswer } from "../../engine/engine.ts";
import type { Services } from "../../server/services.ts";
import { Problem } from "../problem.ts";

/** A run that waits for results of the program which started it. */
export interface WaitingRun {
  runId: string;
  conversationId: string;
  calls: AskedCall[];
}

type Needs = Pick<Services, "engine" | "runs">;

/** The runs that wait for such results, oldest first: of a conversation, or of all. */
export async function waitingRuns(conversationId: string | null, { engine, runs }: Needs): Promise<WaitingRun[]> {
  const open = (await runs.open()).filter(
    ({ conversation_id }) => conversationId === null || conversation_id === conversationId,
  );
  const asked = await Promise.all(
    open.map(async ({ run_id: runId, conversation_id }) => ({
      ...{ runId, conversationId: conversation_id },
      calls: await engine.asked(runId),
    })),
  );
  return asked.filter(({ calls }) => calls.length > 0);
}

/**
 * The run that waits for these results. They have to be those of all its calls: with some of them it would go on waiting.
 * Throws a `Problem`.
 */
export async function runFor(conversationId: string, answers: readonly CallAnswer[], services: Needs): Promise<string> {
  const ids = answers.map(({ call_id }) => call_id);
  const waiting = await waitingRuns(conversationId, services);
  const run = waiting.find(({ calls }) => calls.some(({ call_id }) => ids.includes(call_id)));
  if (!run)
    throw new Problem(
      "conflict",
      `The call ${ids[0]} does not wait for a result: it has one, its run has ended, or there never was such a call.`,
    );
  const missing = run.calls.filter(({ call_id }) => !ids.includes(call_id));
  if (missing.length > 0)
    throw new Problem(
      "invalid_input",
      `The run waits for other results as well: of ${missing.map(({ call_id }) => call_id).join(", ")}; send all in one request.`,
    );
  return run.runId;
}

/** Gives a run its results. Resolves when they are on disk. Throws a `Problem` if it waits for approvals as well. */
export async function answerCalls(
  { runId, conversationId }: Pick<WaitingRun, "runId" | "conversationId">,
  answers: readonly CallAnswer[],
  caller: Caller,
  services: Needs & Pick<Services, "confirmations">,
): Promise<void> {
  const pending = await pendingOf(runId, conversationId, services);
  if (pending.length > 0)
    throw new Problem("conflict", `The run waits for decisions as well: on ${pending.join(", ")}; decide them first.`);
  await services.engine.answer(runId, [...answers], actorOf(caller));
}

/** The confirmations that a run waits for. */
export async function pendingOf(
  runId: string,
  conversation_id: string,
  { confirmations }: Pick<Services, "confirmations">,
): Promise<string[]> {
  const { items } = await confirmations.list({ status: "requested", conversation_id, limit: MOST_PENDING });
  return items.flatMap(({ id, run_id }) => (run_id === runId ? [id] : []));
}

/** More than people decide in one request. */
const MOST_PENDING = 200;

/** Throws a `Problem` if a run of the conversation waits for results: a new message would leave it waiting for ever. */
export async function refuseWaiting(conversationId: string, services: Needs): Promise<void> {
  const [run] = await waitingRuns(conversationId, services);
  if (!run) return;
  throw new Problem(
    "conflict",
    `A run waits for the results of ${run.calls.map(({ call_id }) => call_id).join(", ")}; send them first, or cancel it with POST /api/runs/${run.runId}/cancel.`,
  );
}
