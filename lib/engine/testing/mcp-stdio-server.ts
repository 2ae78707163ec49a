import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { makeMcpServer } from "./mcp-tools.ts";

// Run as a program: an MCP server on its standard streams. With the argument "older" it is one of before 2026, with
// "stubborn" one that ends neither with its input nor on SIGTERM.
if (process.argv.includes("stubborn")) {
  process.on("SIGTERM", () => console.error("no"));
  setInterval(() => 0, 60_000);
}
console.error(`process ${process.pid} is here`);
if (process.argv.includes("older")) await makeMcpServer().connect(new StdioServerTransport());
else serveStdio(() => makeMcpServer());
