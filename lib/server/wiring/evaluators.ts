import { join } from "node:path";
import { AgentsFileError, readAgentsFile } from "../../engine/tools/agents-file.ts";
import { evaluators as evaluatorsFile } from "../../scores/evaluators.ts";
import { type Evaluating, followTurns } from "../../scores/follow-turns.ts";
import type { Config } from "../config.ts";
import { StartupError } from "../startup-error.ts";
import { wallClock } from "../wall-clock.ts";
import { placeIn } from "./telemetry.ts";

type Needs = Omit<Parameters<typeof followTurns>[0], "evaluators" | "clock" | "place">;

/** The rules of the agents' folder's `evaluators.json`, not started yet; null without any. Throws `StartupError`. */
export async function openEvaluators(
  { agentsDir, dataDir }: Pick<Config, "agentsDir" | "dataDir">,
  needs: Needs,
): Promise<Evaluating | null> {
  try {
    const evaluators = await readAgentsFile(join(agentsDir, "evaluators.json"), evaluatorsFile);
    if (!evaluators?.length) return null;
    return followTurns({ ...needs, evaluators, clock: wallClock, place: placeIn(join(dataDir, "evaluators.json")) });
  } catch (error) {
    throw error instanceof AgentsFileError ? new StartupError(`${error.message}.`, { cause: error }) : error;
  }
}
