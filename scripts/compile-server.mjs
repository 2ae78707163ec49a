// Loads the code of the server and its threads, so that Node's compile cache (NODE_COMPILE_CACHE) has it. Starts nothing.
const THREADS = [
  "../db/sqlite/log/checkpoint-thread.ts",
  "../db/sqlite/readers/reader-thread.ts",
  "../lib/server/span-thread.ts",
  "../lib/server/threads/long-read-thread.ts",
  "../lib/server/threads/main-graph-thread.ts",
  "../lib/server/threads/plan-thread.ts",
];

process.env.NODE_ENV = "production";
await import("../lib/server/start.ts");
// Outside of a thread each throws once its code is loaded.
await Promise.allSettled(THREADS.map((thread) => import(thread)));
// LangGraph is loaded with the graph.
const { createMainGraph } = await import("../lib/dialog/main-graph.ts");
await createMainGraph().draw();
process.exit();
