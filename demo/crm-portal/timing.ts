import type { JsonObject } from "../../lib/session/json/json.ts";
import { writeTime } from "./times.ts";

/** After how many seconds Bitrix24 forgets what a method has taken. */
const OPERATING_WINDOW_S = 600;

/** The block `time` of an answer: how long it took since `started`, on the clock of `performance.now()`. */
export function timeOf(started: number): JsonObject {
  const finished = performance.now();
  const start = (performance.timeOrigin + started) / 1000;
  const finish = (performance.timeOrigin + finished) / 1000;
  const duration = (finished - started) / 1000;
  return {
    start,
    finish,
    duration,
    processing: duration,
    date_start: writeTime(start * 1000),
    date_finish: writeTime(finish * 1000),
    operating_reset_at: Math.trunc(finish) + OPERATING_WINDOW_S,
    operating: 0,
  };
}
