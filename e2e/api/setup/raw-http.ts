import { connect } from "node:net";

/** What came back: the status, and null where the connection was closed without one. */
export interface RawAnswer {
  status: number | null;
  head: string;
}

/** A server that says nothing for so long is stuck, ms. */
const PATIENCE_MS = 30_000;

/**
 * Sends bytes as they are and reads what comes back, until the server closes, or the head of a stream is there. Throws when
 * nothing comes.
 */
export function rawSend(port: number, bytes: Uint8Array, isWhole: boolean): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const received: Buffer[] = [];
    const answer = () => {
      const text = Buffer.concat(received)
        .toString("latin1")
        .replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, "");
      const head = text.slice(0, text.indexOf("\r\n\r\n"));
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      return { status: status === undefined ? null : Number(status), head };
    };
    const done = () => {
      socket.destroy();
      resolve(answer());
    };
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy();
      reject(new Error(`No answer to ${JSON.stringify(Buffer.from(bytes).toString("latin1").slice(0, 2_000))}`));
    });
    // A server gives up a request whose sender has closed: only what may be incomplete is sent so.
    socket.on("connect", () => (isWhole ? socket.write(bytes) : socket.end(bytes)));
    socket.on("data", (chunk) => {
      received.push(chunk);
      if (/content-type: text\/event-stream/i.test(answer().head)) done();
    });
    socket.on("end", done);
    // What is malformed may be answered by closing.
    socket.on("error", done);
  });
}

/** A request as it goes over the wire. */
export function wireOf(
  { method, path, headers }: { method: string; path: string; headers: readonly (readonly [string, string])[] },
  body: Uint8Array,
): Uint8Array {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`, "latin1"), body]);
}
