import type { ServerProcess } from "../scripts/server-process.ts";
import { time } from "./load.ts";
import { milliseconds, printTable, quantile } from "./table.ts";

const ALONE = 200;
const A_ROUND = 20;

/** Measures a fork of a long session, and how long single posts take meanwhile. */
export async function benchFork({ address }: ServerProcess, source: string, at: number): Promise<void> {
  let count = 0;
  const post = () => {
    count += 1;
    return {
      path: "/api/events",
      body: JSON.stringify({ conversation_id: "beside-fork", type: "log", payload: count }),
    };
  };
  const posts = (length: number) => time(address, Array.from({ length }, post));
  const alone = await posts(ALONE);
  let isDone = false;
  const fork = { path: `/api/conversations/${source}/fork`, body: JSON.stringify({ at }) };
  const forking = time(address, [fork]).finally(() => {
    isDone = true;
  });
  const beside: number[] = [];
  while (!isDone) beside.push(...(await posts(A_ROUND)));
  const [took = 0] = await forking;
  beside.sort((a, b) => a - b);
  printTable(
    `a fork of ${at.toLocaleString("en")} events in ${milliseconds(took)}: posts of one event, one after another`,
    ["posts", "p50", "p99", "longest"],
    [row("alone", alone), row("beside the fork", beside)],
  );
}

function row(name: string, times: readonly number[]): string[] {
  return [
    name,
    milliseconds(quantile(times, 0.5)),
    milliseconds(quantile(times, 0.99)),
    milliseconds(times.at(-1) ?? 0),
  ];
}
