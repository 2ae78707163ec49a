import { z } from "zod";
import type { Operation } from "../../../lib/api/operation.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../lib/session/json/json.ts";

/** Seeded random numbers. */
export interface Chance {
  /** From 0 to below `bound`. */
  below(bound: number): number;
  /** True in one of so many cases. */
  one(outOf: number): boolean;
  of<T>(values: readonly [T, ...T[]]): T;
  bytes(length: number): Uint8Array;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    one: (outOf) => below(outOf) === 0,
    of: ([first, ...others]) => [first, ...others][below(others.length + 1)] ?? first,
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  };
}

const ODD: readonly [Json, ...Json[]] = [
  ...([null, "", " ", ".", "..", "../../etc/passwd", "%2e%2e", "\u0000", "a\nb", "\ud800", "💥", "__proto__"] as const),
  ...[
    "constructor",
    "x".repeat(300),
    "†state",
    "†state.a.b",
    "2026-02-30T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "<script>",
  ],
  ...[
    0,
    -0,
    -1,
    1.5,
    1e308,
    -1e308,
    2 ** 53,
    2 ** 63,
    true,
    false,
    [],
    {},
    [[]],
    { "": {} },
    [null],
    { __proto__x: 1 },
  ],
  ...[
    "'; DROP TABLE events;--",
    '"',
    "\\",
    "*",
    "NEAR(",
    "AND OR NOT",
    "{{data.memory}}",
    "c-1",
    "a/b",
    "a%2fb",
    "ß".repeat(50),
  ],
];

const DEEPEST = 5;

/** A value that is valid in a JSON Schema, or nearly. */
export function madeFrom(schema: Json | undefined, chance: Chance, root: Json | undefined = schema, depth = 0): Json {
  if (!isJsonObject(schema) || depth > DEEPEST || chance.one(25)) return chance.of(ODD);
  const { $ref, anyOf, oneOf, allOf, type, properties, items, const: constant } = schema;
  if (constant !== undefined) return constant;
  if (Array.isArray(schema.enum)) return pick(schema.enum, chance);
  if (typeof $ref === "string") return madeFrom(referred($ref, root), chance, root, depth + 1);
  for (const choice of [anyOf, oneOf, allOf])
    if (Array.isArray(choice)) return madeFrom(pick(choice, chance), chance, root, depth + 1);
  if (type === "array") return Array.from({ length: chance.below(3) }, () => madeFrom(items, chance, root, depth + 1));
  if (isJsonObject(properties)) {
    const needed: readonly Json[] = Array.isArray(schema.required) ? schema.required : [];
    const entries = Object.entries(properties).filter(([name]) => needed.includes(name) || chance.one(3));
    const value = Object.fromEntries(entries.map(([name, own]) => [name, madeFrom(own, chance, root, depth + 1)]));
    return chance.one(20) ? { ...value, [String(chance.of(ODD))]: chance.of(ODD) } : value;
  }
  if (type === "string")
    return chance.of(["c-1", "u-1", "sales", "log", "2026-01-31T12:00:00Z", "text", "x".repeat(201)]);
  if (type === "integer" || type === "number") return chance.of([0, 1, 2, 50, 1_000, -1, 1.5]);
  if (type === "boolean") return chance.one(2);
  return type === "object" ? { [chance.of(["a", "b", "__proto__", ""])]: chance.of(ODD) } : chance.of(ODD);
}

function pick(values: readonly Json[], chance: Chance): Json {
  return values[chance.below(values.length)] ?? null;
}

function referred(reference: string, root: Json | undefined): Json | undefined {
  return reference
    .slice(2)
    .split("/")
    .filter((part) => part !== "")
    .reduce<Json | undefined>((at, part) => (isJsonObject(at) ? at[part] : undefined), root);
}

const schemas = new WeakMap<z.ZodType, JsonObject>();

/** The JSON Schema of an operation's input; undefined for any. */
export function schemaOf(schema: z.ZodType | null | undefined): JsonObject | undefined {
  if (!schema) return undefined;
  const known = schemas.get(schema);
  if (known) return known;
  const made = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })));
  schemas.set(schema, made);
  return made;
}

/** The path of an operation with parameters, and a query. */
export function addressOf({ path, query }: Operation, chance: Chance): string {
  const filled = path.replaceAll(/\{\w+\}/g, () => {
    const value = chance.one(3) ? chance.of(ODD) : chance.of(["c-1", "c-2", "no-such", "1", "sales", "u-1"]);
    return chance.one(12) ? odderPart(chance) : encoded(typeof value === "string" ? value : JSON.stringify(value));
  });
  const asked = chance.one(2) ? madeFrom(schemaOf(query), chance) : {};
  const pairs = Object.entries(isJsonObject(asked) ? asked : { [chance.of(["cursor", "limit", "q"])]: asked });
  if (chance.one(15)) pairs.push(...pairs);
  const search = pairs.map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`).join("&");
  return `${filled}${search === "" ? "" : `?${search}`}`;
}

/** A badly encoded part of a path. */
function odderPart(chance: Chance): string {
  return chance.of([
    ...([
      "%00",
      "%",
      "%zz",
      "%ff%fe",
      "..%2f..%2f",
      "%2e%2e/",
      "..;/",
      "//",
      "%5c..%5c",
      "%C0%AF",
      "a".repeat(3_000),
    ] as const),
    ...["%F0%9F%92%A5", "%ED%A0%80", "[id]", "{id}", "@fs", "_next", "~", "#", "?", "%23", "%3F", "%20", "+", "*"],
  ]);
}

/** Paths without an operation. */
export function oddPath(chance: Chance): string {
  const begins = chance.of([
    "/",
    "/api/",
    "/api/conversations/",
    "/_next/",
    "/_next/static/",
    "/_next/image?url=",
    "/admin/",
    "/%61pi/",
  ]);
  const parts = Array.from({ length: 1 + chance.below(3) }, () => odderPart(chance));
  return `${begins}${parts.join(chance.of(["/", "", "?", "%2f"]))}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Unusual and invalid headers. */
export function oddHeaders(chance: Chance): [string, string][] {
  const claim = encodeURIComponent(
    '{"caller":{"kind":"person","id":"1","name":"admin","role":"admin"},"address":"","request_id":""}',
  );
  const odd: readonly [[string, string], ...[string, string][]] = [
    ["x-obelus-requester", claim],
    ["x-obelus-requester", "%"],
    ["x-forwarded-for", "127.0.0.1, 10.0.0.1"],
    ["x-forwarded-proto", "https"],
    ["x-forwarded-host", "evil.example"],
    ["x-middleware-subrequest", "middleware:middleware:middleware:middleware:middleware"],
    ["x-middleware-rewrite", "/admin"],
    ["x-invoke-path", "/admin"],
    ["x-matched-path", "/api/users"],
    ["x-nextjs-data", "1"],
    ["next-action", "0".repeat(40)],
    ["rsc", "1"],
    ["next-router-state-tree", "%5B%22%22%5D"],
    ["next-router-state-tree", "%7B"],
    ["next-router-prefetch", "1"],
    ["next-router-segment-prefetch", "/_tree"],
    ["accept-language", `${"a-".repeat(200)};q=x`],
    ["cookie", "obelus-sign-in=s%3Ax.y; theme=%00; locale=../../x"],
    ["cookie", '=; ;;; a=b=c; "="'],
    ["authorization", "Bearer "],
    ["authorization", `Bearer ${"x".repeat(4_000)}`],
    ["authorization", "Basic Og=="],
    ["last-event-id", "-1"],
    ["last-event-id", "9".repeat(30)],
    ["if-match", '"*'],
    ["if-none-match", "*"],
    ["range", "bytes=0-1,5-,-9"],
    ["expect", "100-continue"],
    ["expect", "the-unexpected"],
    ["upgrade", "websocket"],
    ["te", "trailers, gzip;q=9"],
    ["x-request-id", "ü\u00ff"],
    ["x-http-method-override", "DELETE"],
    ["origin", "https://evil.example"],
    ["origin", "null"],
    ["content-encoding", "gzip"],
    ["accept", "text/x-component"],
    ["mcp-protocol-version", "0"],
    ["x-telegram-bot-api-secret-token", "no"],
    ["x-long", "y".repeat(9_000)],
    ["x-ÿ-é", "ÿ"],
  ];
  return Array.from({ length: 1 + chance.below(3) }, () => chance.of(odd));
}

/** Malformed HTTP. */
export function malformed(chance: Chance): Uint8Array {
  const text = chance.of([
    ...(["GET / HTTP/1.1\r\n\r\n", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", "\r\n\r\n", "GET\r\n\r\n"] as const),
    "POST /api/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /api/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{}",
    "POST /api/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    "POST /api/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "POST /api/events HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "GET /api/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET //evil.example/%2f.. HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "TRACE / HTTP/1.1\r\nHost: localhost\r\nMax-Forwards: 0\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\n folded: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nA\u0000B: c\r\n\r\n",
    `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: localhost\r\n${"x: y\r\n".repeat(3_000)}\r\n`,
    "GET /\u00ff\u00fe HTTP/1.1\r\nHost: localhost\r\n\r\n",
  ]);
  const bytes = Buffer.from(text, "latin1");
  if (chance.one(3)) bytes[chance.below(bytes.length)] = chance.below(256);
  return chance.one(8) ? chance.bytes(200) : bytes;
}
