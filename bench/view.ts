import type { ServerProcess } from "../scripts/server-process.ts";
import { type PostedEvent, sessionEvents, take } from "./events.ts";
import { fire, time } from "./load.ts";
import { milliseconds, printTable, quantile, ratio } from "./table.ts";

const SIZES = [1_000, 100_000];
const BATCH = 1_000;
const WARM_UP = 20;
const VIEWS = 300;

/** Benchmarks `view?at=` at random steps of a short and a long session. */
export async function benchView(subject: ServerProcess): Promise<void> {
  const results = [];
  for (const size of SIZES) results.push({ size, times: await timeViews(subject, size) });
  const short = quantile(results[0]?.times ?? [], 0.5);
  printTable(
    `view?at= at random steps, one reader (p99 in a session of 100,000 events: under 50 ms)`,
    ["events", "p50", "p99", "p50 to the short session's"],
    results.map(({ size, times }) => {
      const middle = quantile(times, 0.5);
      return [
        size.toLocaleString("en"),
        milliseconds(middle),
        milliseconds(quantile(times, 0.99)),
        ratio(middle / short),
      ];
    }),
  );
}

/** Posts a session of this size, and reads it at random steps. Returns the time of each, ms, ascending. */
export async function timeViews({ address }: Pick<ServerProcess, "address">, size: number): Promise<number[]> {
  const id = `view-${size}`;
  const events = sessionEvents(id);
  for (let posted = 0; posted < size; posted += BATCH) {
    await fire(
      address,
      [{ path: "/api/events", body: JSON.stringify(take(events, BATCH) satisfies PostedEvent[]) }],
      1,
    );
  }
  const view = () => ({ path: `/api/conversations/${id}/view?at=${Math.floor(Math.random() * (size + 1))}` });
  await time(address, Array.from({ length: WARM_UP }, view));
  return time(address, Array.from({ length: VIEWS }, view));
}
