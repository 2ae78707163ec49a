import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** Resolved by the tool `told`. */
const isToldSoFar = Promise.withResolvers<void>();

/** An MCP server with a tool of each sort. `more` has learnt another one. */
export function makeMcpServer(more = false): McpServer {
  const server = new McpServer({ name: "test", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  server.registerTool(
    "add",
    {
      description: "Adds two numbers",
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => ({ ...text(`${a + b}`), structuredContent: { sum: a + b } }),
  );
  server.registerTool(
    "say",
    { description: "Says what it is told", inputSchema: z.object({ text: z.string() }) },
    (params) => text(params.text),
  );
  server.registerTool("draw", { description: "Draws" }, () => ({
    content: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
  }));
  server.registerTool("fail", { description: "Fails" }, () => ({ ...text("the disk is full"), isError: true }));
  // A client may drop progress that comes in one piece with the result.
  server.registerTool("count", { description: "Tells how far it is" }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    const notify = (params: object) =>
      mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...params } });
    if (progressToken !== undefined) {
      await notify({ progress: 1, total: 4, message: "One" });
      await notify({ progress: 2 });
      await isToldSoFar.promise;
    }
    return text("counted");
  });
  server.registerTool("told", { description: "Lets count end" }, () => {
    isToldSoFar.resolve();
    return text("ending");
  });
  server.registerTool("hang", { description: "Never ends" }, () => Promise.withResolvers<never>().promise);
  server.registerTool("die", { description: "Ends its server" }, () => process.exit(1));
  server.registerTool(
    "flood",
    { description: "Writes messages without end", inputSchema: z.object({ kind: z.enum(["valid", "invalid"]) }) },
    ({ kind }) => {
      const message = kind === "valid" ? { jsonrpc: "2.0", method: "notifications/message", params: {} } : {};
      const lines = `${JSON.stringify(message)}\n`.repeat(1_000);
      const write = () => process.stdout.write(lines, write);
      write();
      return Promise.withResolvers<never>().promise;
    },
  );
  server.registerTool("greet", { description: "Greets whom its environment names" }, () =>
    text(`Hello ${process.env.MCP_TEST_NAME} of ${process.env.MCP_TEST_HIDDEN ?? "nowhere"}`),
  );
  server.registerTool("wipe", { description: "Wipes the disk", annotations: { destructiveHint: true } }, () =>
    text("wiped"),
  );
  const learn = () => server.registerTool("learnt", { description: "Was not there at first" }, () => text("new"));
  if (more) learn();
  server.registerTool("learn", { description: "Adds a tool", annotations: { idempotentHint: true } }, () => {
    learn();
    return text("learnt");
  });
  return server;
}
