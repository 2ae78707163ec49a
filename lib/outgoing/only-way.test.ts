import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const LIB = fileURLToPath(new URL("..", import.meta.url));

/** Separate programs, test modules, code that is copied into other programs, and a socket that is never connected. */
const ELSEWHERE = /^(outgoing|client)\/|(^|\/)testing\/|\.test\.ts$|^server\/front\/security-headers\.ts$/;
/** Node's client modules. */
const CONNECTS =
  /import \{[^}]*\b(request|get|connect|createConnection|Agent|Socket|lookup|resolve)\b[^}]*\} from "node:(http|https|http2|net|tls|dns)"/;
/** Node's own `fetch`, unless the file defines one. */
const FETCHES = /(?<![.\w])fetch\(/;
const OWN_FETCH = /\{[^{}]*\bfetch\b[^{}]*\}\s*(=|:)/;

it("Security: every outgoing connection goes through lib/outgoing", () => {
  const files = readdirSync(LIB, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts") && !ELSEWHERE.test(file));
  expect(sources.length).toBeGreaterThan(300);
  const others = sources.filter((file) => {
    const source = readFileSync(join(LIB, file), "utf8");
    if (FETCHES.test(source) && !OWN_FETCH.test(source)) return true;
    return CONNECTS.test(source) && !source.includes("/outgoing/");
  });
  expect(others).toEqual([]);
});
