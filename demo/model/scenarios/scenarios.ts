import type { Script } from "../script.ts";
import { ADMIN } from "./admin.ts";
import { DEALS } from "./deals.ts";
import { DEMO } from "./demo.ts";
import { DEMO_SETUP } from "./demo-setup.ts";
import { GOALS } from "./goals.ts";
import { LISTS } from "./lists.ts";
import { MANAGER } from "./manager.ts";
import { RECORDS } from "./records.ts";
import { SMALL_TALK } from "./small-talk.ts";
import { TASKS } from "./tasks.ts";
import { TROUBLES } from "./troubles.ts";

/** What is done and said in the CRM. */
const CRM = [...DEALS, ...TASKS, ...RECORDS, ...LISTS, ...GOALS];
/** What each stage of a dialog has of its own (D4). */
const STAGES = [...ADMIN, ...DEMO, ...DEMO_SETUP];

/** All that the scripted model knows. The first scenario that fits is played, so that the narrower ones stand first. */
export const SCRIPT: Script = {
  scenarios: [...CRM, ...STAGES, ...MANAGER, ...SMALL_TALK],
  troubles: TROUBLES,
};
