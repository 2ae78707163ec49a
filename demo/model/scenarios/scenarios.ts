import type { Script } from "../script.ts";
import { ADMIN } from "./admin.ts";
import { DEALS } from "./deals.ts";
import { DEMO } from "./demo.ts";
import { DEMO_SETUP } from "./demo-setup.ts";
import { FAILURES } from "./failures.ts";
import { GOALS } from "./goals.ts";
import { LISTS } from "./lists.ts";
import { MANAGER } from "./manager.ts";
import { RECORDS } from "./records.ts";
import { SMALL_TALK } from "./small-talk.ts";
import { TASKS } from "./tasks.ts";

/** The CRM agent's scenarios. */
const CRM = [...DEALS, ...TASKS, ...RECORDS, ...LISTS, ...GOALS];
/** The scenarios of each stage (D4). */
const STAGES = [...ADMIN, ...DEMO, ...DEMO_SETUP];

/** All scenarios. The first match wins, so specific ones come first. */
export const SCRIPT: Script = {
  scenarios: [...CRM, ...STAGES, ...MANAGER, ...SMALL_TALK],
  troubles: FAILURES,
};
