import type { Json, JsonObject } from "../../session/json/json.ts";

/** PHP's limit of nesting, too. */
const MOST_LEVELS = 64;

type Node = Map<string, Node | string>;

/** Parses a query as PHP does: `fields[TITLE]=Servers&ids[]=1` is `{fields: {TITLE: "Servers"}, ids: {"0": "1"}}`. */
export function readQuery(query: string): JsonObject {
  const root: Node = new Map();
  for (const [name, value] of new URLSearchParams(query)) put(root, pathOf(name), value);
  return toJson(root);
}

function pathOf(name: string): string[] {
  const [first = "", ...rest] = name.replace(/\]$/, "").split(/\]?\[/);
  return [first, ...rest].slice(0, MOST_LEVELS).map((segment) => segment.trim());
}

function put(root: Node, path: readonly string[], value: string): void {
  let node = root;
  for (const segment of path.slice(0, -1)) {
    const key = keyIn(node, segment);
    const below = node.get(key);
    const next: Node = below instanceof Map ? below : new Map();
    node.set(key, next);
    node = next;
  }
  node.set(keyIn(node, path.at(-1) ?? ""), value);
}

/** `[]` is the next index. */
function keyIn(node: Node, segment: string): string {
  return segment === "" ? String(node.size) : segment;
}

function toJson(node: Node): JsonObject {
  return Object.fromEntries(
    [...node].map(([key, value]): [string, Json] => [key, typeof value === "string" ? value : toJson(value)]),
  );
}
