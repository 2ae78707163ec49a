import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { OpenEgress } from "../../../outgoing/egress.ts";
import type { McpServer } from "./config.ts";
import type { McpLogger } from "./servers.ts";

/** How long a process has to end by itself once its input has, then after a SIGTERM; both within the two seconds of a stop. */
const LEAVE_MS = 500;

/** The largest message that a server's process may write, in bytes. */
const LARGEST_MESSAGE = 4_000_000;

/**
 * The most messages that a server may send in a period, invalid ones included: each takes about 50 µs of the main thread, so
 * that a server that sends all it can would take all of it.
 */
const MOST_MESSAGES = 10_000;
const PERIOD_MS = 10_000;

/** A way to a server, and how it is left. */
export interface Way {
  transport: Transport;
  /** Ends the connection, and the process if there is one. */
  leave(): Promise<void>;
  /** Ends them without waiting for the process to end by itself. */
  abort(): Promise<void>;
}

/** What a way needs of the server. */
export interface Outside {
  /** To servers behind an address. */
  openEgress: OpenEgress;
  logger: McpLogger;
}

/** Opens a new way to a server; a process writes its standard error to the log. */
export function wayTo(name: string, server: McpServer, { openEgress, logger }: Outside): Way {
  if (server.url === undefined) return wayToProcess(name, server, logger);
  const url = new URL(server.url);
  const { fetch } = openEgress({ hosts: [url.host] });
  const requestInit = server.headers && { headers: server.headers };
  const transport = new StreamableHTTPClientTransport(url, { fetch, ...(requestInit && { requestInit }) });
  const leave = () => transport.close();
  return { transport, leave, abort: leave };
}

/** Calls `onFlood` once when a server sends more messages than it may. To be called before the client takes the transport. */
export function watchForFlood(transport: Transport, onFlood: (reason: string) => void): void {
  let begun = performance.now();
  let count = 0;
  let isOver = false;
  const note = () => {
    const now = performance.now();
    if (now - begun > PERIOD_MS) {
      begun = now;
      count = 0;
    }
    count += 1;
    if (isOver || count <= MOST_MESSAGES) return;
    isOver = true;
    onFlood(`it sent more than ${MOST_MESSAGES} messages in ${PERIOD_MS / 1_000} s`);
  };
  transport.onmessage = note;
  transport.onerror = note;
}

function wayToProcess(name: string, { command = "", args, env }: McpServer, logger: McpLogger): Way {
  const transport = new StdioClientTransport({
    command,
    stderr: "pipe",
    maxBufferSize: LARGEST_MESSAGE,
    ...(args && { args }),
    ...(env && { env }),
  });
  transport.stderr?.on("data", (chunk) => logger.info({ mcp: name }, String(chunk).trimEnd()));
  const end = async () => {
    const { pid } = transport;
    const kills = (["SIGTERM", "SIGKILL"] as const).map((signal, index) =>
      setTimeout(() => kill(pid, signal), LEAVE_MS * (index + 1)),
    );
    await transport.close();
    for (const timer of kills) clearTimeout(timer);
  };
  let ending: Promise<void> | null = null;
  return {
    transport,
    leave() {
      // A transport that is closed a second time does not wait for its process.
      ending ??= end();
      return ending;
    },
    abort() {
      kill(transport.pid, "SIGKILL");
      return transport.close();
    },
  };
}

function kill(pid: number | null, signal: NodeJS.Signals): void {
  if (pid === null) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
