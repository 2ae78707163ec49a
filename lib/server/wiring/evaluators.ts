import { join } from "node:path";
import type { Storage } from "../../../db/storage.ts";
import type { Model } from "../../engine/model.ts";
import { AgentsFileError, readAgentsFile } from "../../engine/tools/agents-file.ts";
import { type Evaluator, evaluateTurn, evaluators as evaluatorsFile } from "../../scores/evaluators.ts";
import { type Evaluating, followTurns } from "../../scores/follow-turns.ts";
import type { JudgeRegistry } from "../../scores/judge-registry.ts";
import { createJudging, mayJudge } from "../../scores/judging.ts";
import type { Prices } from "../../session/prices.ts";
import type { Config } from "../config.ts";
import { StartupError } from "../startup-error.ts";
import { wallClock } from "../wall-clock.ts";
import { openPlace } from "./telemetry.ts";

type Directories = Pick<Config, "agentsDir" | "dataDir">;

interface Needs
  extends Pick<Parameters<typeof followTurns>[0], "bus" | "logger">,
    Pick<Storage, "events" | "scores" | "placeOf"> {
  prices: Prices;
}

/** The rules of the agents' folder's `evaluators.json`, not started yet; null without any. Throws `StartupError`. */
export async function openEvaluators(
  { agentsDir, dataDir }: Directories,
  { scores, prices, placeOf, ...needs }: Needs,
): Promise<Evaluating | null> {
  try {
    const evaluators = await readRules(agentsDir);
    if (!evaluators?.length) return null;
    return followTurns({
      ...needs,
      async evaluate(conversationId, turn) {
        for (const found of evaluateTurn(evaluators, turn, prices))
          await scores.put(conversationId, { ...found, source: "evaluator", by: null });
      },
      clock: wallClock,
      place: openPlace("evaluators", { dataDir, placeOf }),
    });
  } catch (error) {
    throw error instanceof AgentsFileError ? new StartupError(`${error.message}.`, { cause: error }) : error;
  }
}

/** The rules of the agents' folder; null without any. Throws an `AgentsFileError`. */
export function readRules(agentsDir: string): Promise<Evaluator[] | null> {
  return readAgentsFile(join(agentsDir, "evaluators.json"), evaluatorsFile);
}

interface JudgingNeeds extends Needs {
  judges: JudgeRegistry;
  modelOf(name: string | null): Model;
}

/** The follower that has models judge turns, not started yet. It may be started again after it was stopped. */
export function openJudging({ dataDir }: Pick<Directories, "dataDir">, needs: JudgingNeeds): Evaluating {
  let ending = new AbortController();
  let running: Evaluating | null = null;
  return {
    async start() {
      ending = new AbortController();
      running = followTurns({
        ...needs,
        evaluate: createJudging({ ...needs, clock: wallClock, stopping: ending.signal }),
        isWanted: (end) => mayJudge(needs.judges.list(), end),
        isCostly: true,
        clock: wallClock,
        place: openPlace("judges", { dataDir, placeOf: needs.placeOf }),
      });
      await running.start();
    },
    async stop() {
      ending.abort();
      await running?.stop();
      running = null;
    },
  };
}
