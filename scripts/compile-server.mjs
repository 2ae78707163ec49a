import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PROGRAMS, ROOT } from "./process.mjs";

// Loads the code of a build's server and its threads, so that Node's compile cache (NODE_COMPILE_CACHE) has it. Starts
// nothing.
const programs = join(ROOT, process.argv[2] ?? "", PROGRAMS);
const names = readdirSync(programs);

process.env.NODE_ENV = "production";
const load = (/** @type {string} */ name) => import(join(programs, name));
await load("server.mjs");
// Outside of a thread each throws once its code is loaded.
await Promise.allSettled(names.filter((name) => name.endsWith("-thread.mjs")).map(load));
// LangGraph is loaded with the graph.
const { createMainGraph } = await load("main-graph.mjs");
await createMainGraph().draw();
process.exit();
