import { fileURLToPath } from "node:url";
import type { NewEvent } from "../../db/repositories.ts";
import { InvalidPlan } from "../../lib/engine/errors.ts";
import { createSchemaChecker } from "../../lib/engine/json-schema.ts";
import type { Prompts } from "../../lib/engine/prompt.ts";
import { createDelegateRegistry } from "../../lib/engine/tools/delegate-registry.ts";
import type { Locale } from "../texts.ts";
import type { Example } from "./example.ts";
import { languageFirst } from "./language-first.ts";
import { moderation } from "./moderation.ts";
import { NOTHING_REGISTERED } from "./outside-tools.ts";
import { play, type Stage } from "./play.ts";
import { profileSummary } from "./profile-summary.ts";
import { refundReplan } from "./refund-replan.ts";
import { type ExampleConversation, tell } from "./tell.ts";
import { translatorInstances } from "./translator-instances.ts";
import { weatherBranch } from "./weather-branch.ts";

const AGENTS_FOLDER = fileURLToPath(new URL("../../agents", import.meta.url));
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The worked examples, and how long ago, in ms, each ended in the demo. */
export const EXAMPLES = [
  { example: profileSummary, ago: 11 * MINUTE + 24 * SECOND },
  { example: weatherBranch, ago: 19 * MINUTE + 51 * SECOND },
  { example: refundReplan, ago: 34 * MINUTE + 8 * SECOND },
  { example: moderation, ago: 47 * MINUTE + 37 * SECOND },
  { example: translatorInstances, ago: 63 * MINUTE + 2 * SECOND },
  { example: languageFirst, ago: 82 * MINUTE + 45 * SECOND },
];

/** Runs the worked examples as of a time, as conversations for import. */
export async function playedExamples(now: Date, locale: Locale, stage: Stage): Promise<ExampleConversation[]> {
  const told = await Promise.all(
    EXAMPLES.map(async ({ example: { [locale]: example }, ago }) => {
      const events = await playUnlessRefused(example, stage);
      return events ? [tell(example, events, now.getTime() - ago)] : [];
    }),
  );
  return told.flat();
}

/** Null for an example whose delegate was removed, or changed so that the plan is invalid. */
async function playUnlessRefused(example: Example, stage: Stage): Promise<NewEvent[] | null> {
  try {
    return await play(example, stage);
  } catch (error) {
    if (error instanceof InvalidPlan) return null;
    throw error;
  }
}

/** The shipped delegates, and how prompts are rendered there. */
export async function shippedStage(prompts: Prompts): Promise<Stage> {
  const checker = createSchemaChecker();
  const options = { folder: AGENTS_FOLDER, definitions: NOTHING_REGISTERED, checker };
  return { checker, prompts, delegates: await createDelegateRegistry(options) };
}
