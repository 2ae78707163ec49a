import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server that can be cut. */
export interface Way {
  port: number;
  /** `silent`: nothing gets through, and nobody is told. `reset`: connections are lost, and new ones are refused. */
  cut(how: "silent" | "reset"): void;
  heal(): void;
  close(): void;
}

/** Forwards connections to a Unix socket. */
export async function openWay(path: string): Promise<Way> {
  const pairs = new Set<[Socket, Socket]>();
  let state: "open" | "silent" | "reset" = "open";
  const server = createServer({ pauseOnConnect: true }, (near) => {
    if (state === "reset") return near.destroy();
    const far = connect(path);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (chunk) => {
        if (!to.write(chunk)) from.pause();
      });
      to.on("drain", () => state !== "silent" && from.resume());
      from.on("error", () => undefined);
      from.on("close", () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
    if (state === "silent") far.pause();
    else near.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const each = (act: (socket: Socket) => void) => {
    for (const pair of pairs) for (const socket of pair) act(socket);
  };
  return {
    port,
    cut(how) {
      state = how;
      each((socket) => (how === "silent" ? socket.pause() : socket.destroy()));
    },
    heal() {
      state = "open";
      each((socket) => socket.resume());
    },
    close() {
      server.close();
      each((socket) => socket.destroy());
    },
  };
}
