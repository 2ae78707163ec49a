import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import Database from "better-sqlite3";

/** The tables that LangGraph.js's saver creates. */
const SCHEMA = `
  CREATE TABLE checkpoints (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL,
    parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id));
  CREATE TABLE writes (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL,
    task_id TEXT NOT NULL, idx INTEGER NOT NULL, channel TEXT NOT NULL, type TEXT, value BLOB,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));`;

const asked = new HumanMessage({ id: "h1", content: "Where is 88412?" });
const calling = new AIMessage({
  id: "a1",
  content: "",
  tool_calls: [{ id: "call_1", name: "find", args: { id: 88412 } }],
});
const found = new ToolMessage({ id: "t1", content: '{"place":"Köln"}', tool_call_id: "call_1" });
const answered = new AIMessage({ id: "a2", content: "In Köln." });

export interface FileOptions {
  /** The serialization that the file declares. */
  type?: string;
  /** The thread ends with an interrupt. */
  stop?: boolean;
}

/** Writes a file with one thread that was once rewound to its second checkpoint. */
export async function writeCheckpoints(
  path: string,
  { type = "json", stop = false }: FileOptions = {},
): Promise<string> {
  const { serde } = new MemorySaver();
  const written = async (value: object) => Buffer.from((await serde.dumpsTyped(value))[1]);
  const sqlite = new Database(path);
  sqlite.exec(SCHEMA);
  const insert = sqlite.prepare("INSERT INTO checkpoints VALUES ('thread', '', ?, ?, ?, ?, ?)");
  const add = async (n: number, parent: number | null, source: string, channel_values: object) =>
    insert.run(
      `1f0-${n}`,
      parent === null ? null : `1f0-${parent}`,
      type,
      await written({ v: 4, id: `1f0-${n}`, ts: `2026-11-22T12:00:0${n}.000Z`, channel_values }),
      await written({ source, step: n - 2, parents: {} }),
    );
  await add(1, null, "input", { __start__: { messages: [asked] } });
  await add(2, 1, "loop", { messages: [asked], "branch:to:agent": null });
  await add(3, 2, "loop", { messages: [asked, new AIMessage({ id: "left", content: "Never mind." })] });
  await add(4, 2, "loop", { messages: [asked, calling], plan: ["find"] });
  await add(5, 4, "loop", { messages: [asked, calling, found], plan: ["find"], order: { id: 88412 } });
  await add(6, 5, "loop", { messages: [asked, calling, found, answered], order: { id: 88412, place: "Köln" } });
  if (stop)
    sqlite
      .prepare("INSERT INTO writes VALUES ('thread', '', '1f0-6', 'task', 0, '__interrupt__', 'json', ?)")
      .run(await written({ value: "Refund?" }));
  sqlite.close();
  return path;
}
