import { parentPort } from "node:worker_threads";
import { createMainGraph } from "../../dialog/main-graph/main-graph.ts";
import type { GraphOrder, GraphReply } from "./main-graph.ts";

// The entry of the thread in which the main graph runs.
if (!parentPort) throw new Error("main-graph-thread.ts runs as a worker thread");
const port = parentPort;
const graph = createMainGraph();

port.on("message", async (order: GraphOrder) => {
  port.postMessage(await replyTo(order));
});

async function replyTo(order: GraphOrder): Promise<GraphReply> {
  const { id } = order;
  try {
    switch (order.act) {
      case "run":
        return { id, is: "end", end: await graph.run(order.beginning) };
      case "draw":
        return { id, is: "drawing", drawing: await graph.draw() };
      default:
        return order satisfies never;
    }
  } catch (error) {
    return { id, is: "broken", error };
  }
}
