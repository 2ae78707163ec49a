import { connect } from "node:net";

/** A response: the status, or null if the connection was closed without one. */
export interface RawAnswer {
  status: number | null;
  head: string;
}

/** The timeout of a response, ms. */
const PATIENCE_MS = 30_000;

/** Sends bytes and reads the response, until the server closes, or a stream has started. Throws on a timeout. */
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
    // A server aborts a request whose client has closed: only incomplete ones are sent so.
    socket.on("connect", () => (isWhole ? socket.write(bytes) : socket.end(bytes)));
    socket.on("data", (chunk) => {
      received.push(chunk);
      if (/content-type: text\/event-stream/i.test(answer().head)) done();
    });
    socket.on("end", done);
    // A malformed request may be answered by closing.
    socket.on("error", done);
  });
}

/** A request on the wire. */
export function wireOf(
  { method, path, headers }: { method: string; path: string; headers: readonly (readonly [string, string])[] },
  body: Uint8Array,
): Uint8Array {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`, "latin1"), body]);
}
