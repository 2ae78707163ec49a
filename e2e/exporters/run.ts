import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startStandIn } from "./model.ts";

/** An agent with an exporter, as its framework has it. */
export type Program = "by-hand" | "langgraph" | "openai-agents" | "vercel";

/** Runs an agent in a process of its own; it sends its spans to the server and ends. Throws with what it wrote if it fails. */
export async function runAgent(
  program: Program,
  server: string,
  conversation: string,
  more: { ENCODING?: "protobuf" | "json"; FORM?: "current" | "older" } = {},
): Promise<void> {
  const model = await startStandIn();
  try {
    const child = spawn(process.execPath, [fileURLToPath(new URL(`./${program}.ts`, import.meta.url))], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        // Under tests the OpenAI Agents SDK traces nothing.
        NODE_ENV: "production",
        ...{ TRACES_URL: `${server}/v1/traces`, MODEL_URL: model.baseUrl, CONVERSATION: conversation },
        ...more,
      },
    });
    const wrote = writtenBy(child);
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`${program} ended with ${code}:\n${wrote()}`);
  } finally {
    await model.close();
  }
}

function writtenBy({ stdout, stderr }: ChildProcess): () => string {
  let text = "";
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}
