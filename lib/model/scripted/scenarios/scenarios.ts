import type { Script } from "../script.ts";
import { DEALS } from "./deals.ts";
import { GOALS } from "./goals.ts";
import { LISTS } from "./lists.ts";
import { RECORDS } from "./records.ts";
import { SMALL_TALK } from "./small-talk.ts";
import { TASKS } from "./tasks.ts";
import { TROUBLES } from "./troubles.ts";

/** All that the scripted model knows. The first scenario that fits is played, so that the narrower ones stand first. */
export const SCRIPT: Script = {
  scenarios: [...DEALS, ...TASKS, ...RECORDS, ...LISTS, ...GOALS, ...SMALL_TALK],
  troubles: TROUBLES,
};
