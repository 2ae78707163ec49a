import type { JsonObject } from "../../lib/session/json/json.ts";
import { writeTime } from "./times.ts";

/** The window of Bitrix24's operating time, in seconds. */
const OPERATING_WINDOW_S = 600;

/** The `time` block of a response: the duration since `started` (`performance.now()`). */
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
