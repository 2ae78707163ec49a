import type { Call, Method, Outcome } from "../method.ts";
import { Refusal } from "../refusal.ts";
import { ACTIVITY_METHODS } from "./activity.ts";
import { runBatch } from "./batch.ts";
import { COMPANY, CONTACT } from "./client.ts";
import { DEAL } from "./deal.ts";
import { DIRECTORY_METHODS } from "./directories.ts";
import { entityMethods } from "./entity.ts";
import { EVENT_METHODS } from "./events.ts";
import { GROUP_METHODS } from "./groups.ts";
import { TASK_ITEM_METHODS } from "./task-items.ts";
import { TASK_METHODS } from "./tasks.ts";
import { TIMELINE_METHODS } from "./timeline.ts";
import { USER_METHODS } from "./users.ts";

const METHODS = new Map<string, Method>(
  Object.entries({
    ...entityMethods(DEAL),
    ...entityMethods(CONTACT),
    ...entityMethods(COMPANY),
    ...ACTIVITY_METHODS,
    ...TIMELINE_METHODS,
    ...DIRECTORY_METHODS,
    ...TASK_METHODS,
    ...TASK_ITEM_METHODS,
    ...GROUP_METHODS,
    ...USER_METHODS,
    ...EVENT_METHODS,
  }),
);

/** Executes a call; `method` is in lower case. A call that throws `Refusal` has changed nothing. */
export function perform(method: string, call: Call): Outcome {
  // Each command of a batch is independent: successful ones are kept.
  return method === "batch" ? runBatch(call, performOne) : performOne(method, call);
}

function performOne(method: string, call: Call): Outcome {
  const act = METHODS.get(method);
  if (!act) throw new Refusal(404, "ERROR_METHOD_NOT_FOUND", "Method not found!");
  return call.store.atOnce(() => act(call));
}
