import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { NewEvent } from "../db/repositories.ts";
import { openStorage } from "../db/sqlite/open.ts";
import { eventInput } from "../lib/api/operations/post-events.ts";
import { parseJson } from "../lib/api/request/json-text.ts";
import { createLogger } from "../lib/server/logger.ts";
import { PAYLOADS } from "../lib/session/events/catalogue.ts";
import { isEventType } from "../lib/session/events/kinds.ts";

// A baseline over HTTP: POST /api/events with only node:http around the same parsing, checks and transaction.
const storage = await openStorage({
  dataDir: process.env.OBELUS_DATA_DIR ?? "",
  durability: "full",
  onCommit: () => undefined,
  logger: createLogger("error"),
});

const server = createServer((request, response) => {
  record(request).then(
    (answer) => response.writeHead(201, { "content-type": "application/json" }).end(answer),
    (error) => response.writeHead(500).end(String(error)),
  );
});

async function record(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new Error("The body is not UTF-8");
  const value = parseJson(bytes.toString(), "");
  const events = await storage.log.append((Array.isArray(value) ? value : [value]).map(check));
  return JSON.stringify({ events });
}

function check(value: unknown): NewEvent {
  const event = eventInput.parse(value);
  const payload = event.payload ?? {};
  if (isEventType(event.type)) PAYLOADS[event.type].parse(payload);
  return {
    id: event.id ?? crypto.randomUUID(),
    conversation_id: event.conversation_id,
    type: event.type,
    actor: event.actor ?? null,
    agent_id: event.agent_id ?? null,
    run_id: event.run_id ?? null,
    parent_run_id: event.parent_run_id ?? null,
    caused_by: event.caused_by ?? null,
    payload,
    occurred_at: event.occurred_at ?? null,
  };
}

process.on("SIGTERM", async () => {
  server.close();
  server.closeAllConnections();
  await storage.close();
  process.exit(0);
});

server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("The server listens on no port");
console.log(`Ready on http://127.0.0.1:${address.port}`);
