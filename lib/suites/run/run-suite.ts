import { MOST_TRIES, type SuiteCase, TRIES_AT_ONCE } from "../case.ts";
import { type CaseResult, caseResult, type SuiteResult, suiteResult } from "../result.ts";
import type { Suite } from "../suite.ts";
import type { TryResult } from "../try-result.ts";
import { runTry, type TriedAgent, type TryPorts, type TrySettings } from "./run-try.ts";

/** How a suite is run. */
export interface SuiteSettings extends Omit<TrySettings, "conversation_id"> {
  /** Tries of each case, at most `MOST_TRIES`. */
  tries: number;
  /** Called after each try. */
  onTry(done: number, of: number): void;
}

/**
 * Runs the cases of a suite with an agent's definition, each several times, at most `TRIES_AT_ONCE` tries at once. A try that
 * breaks off counts as not passed; only an abort ends the whole run. Rejects with the signal's reason then.
 */
export async function runSuite(
  { name, cases }: Pick<Suite, "name" | "cases">,
  agent: TriedAgent,
  { tries, onTry, ...settings }: SuiteSettings,
  ports: TryPorts,
): Promise<SuiteResult<TryResult>> {
  const began = ports.clock.now();
  const each = Math.min(Math.max(tries, 1), MOST_TRIES);
  const jobs = cases.flatMap((one) => Array.from({ length: each }, (_, index) => ({ one, index })));
  const results = new Map<SuiteCase, TryResult[]>(cases.map((one) => [one, []]));
  const left = jobs.values();
  let done = 0;
  async function work(): Promise<void> {
    for (const { one, index } of left) {
      settings.signal.throwIfAborted();
      const conversation_id = `${name}:${one.id}:${index + 1}`;
      results.get(one)?.push(await runTry(one, agent, { ...settings, conversation_id }, ports));
      done += 1;
      onTry(done, jobs.length);
    }
  }
  await Promise.all(Array.from({ length: TRIES_AT_ONCE }, work));
  const all = cases.map((one): CaseResult<TryResult> => caseResult(one, inOrder(results.get(one) ?? [])));
  return suiteResult(name, all, ports.clock.now() - began);
}

function inOrder(tries: readonly TryResult[]): TryResult[] {
  const numberOf = ({ conversation_id }: TryResult) => Number(conversation_id.split(":").at(-1));
  return tries.toSorted((one, other) => numberOf(one) - numberOf(other));
}
