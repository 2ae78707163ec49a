import { Agent, request } from "node:http";

/** A request: a POST with a body, as JSON by default; without one a GET. */
export interface Shot {
  path: string;
  body?: string | Uint8Array;
  type?: string;
}

/**
 * Sends all requests over a number of keep-alive connections, one after another on each. Servers, if several, have equal
 * shares of the connections. Returns the seconds it took.
 */
export async function fire(
  servers: string | readonly string[],
  shots: readonly Shot[],
  connections: number,
): Promise<number> {
  const addresses = typeof servers === "string" ? [servers] : servers;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const waiting = shots.values();
  const started = performance.now();
  const sender = async (address: string) => {
    for (const shot of waiting) await send(agent, address, shot);
  };
  await Promise.all(
    Array.from({ length: connections }, (_, index) => sender(addresses[index % addresses.length] ?? "")),
  );
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return seconds;
}

/** Sends requests one after another over one connection. Returns the time of each, ms, ascending. */
export async function time(address: string, shots: readonly Shot[]): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (const shot of shots) {
    const started = performance.now();
    await send(agent, address, shot);
    times.push(performance.now() - started);
  }
  agent.destroy();
  return times.sort((a, b) => a - b);
}

/** Sends a request; resolves with its response. */
export function send(agent: Agent, address: string, { path, body, type = "application/json" }: Shot): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = body === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(body) };
  const outgoing = request(
    `${address}${path}`,
    { agent, method: body === undefined ? "GET" : "POST", headers },
    (response) => {
      const { statusCode = 0 } = response;
      let text = "";
      response.on("data", (chunk) => {
        // Only failed responses are read; others are large.
        if (statusCode >= 400) text += chunk;
      });
      response.on("end", () =>
        statusCode < 400 ? resolve() : reject(new Error(`${path} answered ${statusCode}: ${text}`)),
      );
      response.on("error", reject);
    },
  );
  outgoing.on("error", reject);
  outgoing.end(body);
  return promise;
}
