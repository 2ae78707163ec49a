import { callKey } from "@/lib/session/keys.ts";
import type { MapCall, SessionMap } from "@/lib/session/map/session-map.ts";
import type { InferredByCall } from "../edge/inferred-inputs.ts";
import { keyOf as keyOfPlace } from "../edge/inferred-inputs.ts";
import { hasFailed, keyOf } from "./bands.ts";

/** A value that a call used: from an earlier call, or from a message. */
export interface Source {
  kind: "inferred" | "declared" | "message";
  /** The source call's key; null for a message. */
  from: string | null;
  /** The message's step; null for a call. */
  seq: number | null;
  /** The value, or the path of a declared edge. */
  value: string;
  /** Where it is read: a parameter, or the declared path. */
  to: string;
}

/** What each call used, by its key. */
export type Links = ReadonlyMap<string, readonly Source[]>;

/** Declared and inferred edges by the call that they lead to. */
export function linksOf({ calls, edges }: Pick<SessionMap, "calls" | "edges">, inferred: InferredByCall): Links {
  const links = new Map<string, Source[]>();
  const add = (key: string, source: Source) => {
    const known = links.get(key);
    if (known) known.push(source);
    else links.set(key, [source]);
  };
  const placed = new Set(calls.map(keyOf));
  const byId = Map.groupBy(calls, ({ run_id, iteration, id }) => callKey(run_id, iteration, "", id));
  for (const { run_id, iteration, from, to, path } of edges)
    for (const reader of byId.get(callKey(run_id, iteration, "", to)) ?? []) {
      const writer = writerFor(reader, byId.get(callKey(run_id, iteration, "", from)) ?? []);
      if (writer)
        add(keyOf(reader), { kind: "declared", from: keyOf(writer), seq: null, value: shortPath(path), to: path });
    }
  for (const [key, found] of inferred)
    for (const { from, value, to_path } of found) {
      const source = from.kind === "call" ? keyOfPlace(from.call) : null;
      if (!placed.has(key) || (source !== null && !placed.has(source))) continue;
      const seq = from.kind === "message" ? from.seq : null;
      add(key, { kind: from.kind === "call" ? "inferred" : "message", from: source, seq, value, to: to_path });
    }
  return links;
}

/** Each instance reads what its own calls wrote, or what was written for all. */
function writerFor({ instance }: MapCall, writers: readonly MapCall[]): MapCall | undefined {
  return writers.find((one) => one.instance === instance) ?? writers.find((one) => one.instance === "");
}

/** `†state.deal.amount` → `†deal.amount`. */
function shortPath(path: string): string {
  return path.replace(/^†state\.?/u, "†");
}

/** A chip above a card: a value with its sources. */
export interface Chip {
  id: string;
  kind: Source["kind"];
  value: string;
  source: Source;
}

/** The chips of a card with these calls, each value once: what the error names first, what was said last. */
export function chipsOf(links: Links, calls: readonly MapCall[]): Chip[] {
  const chips = new Map<string, Chip>();
  for (const call of calls)
    for (const source of links.get(keyOf(call)) ?? []) {
      const id = `${source.from ?? source.seq} ${source.value}`;
      if (!chips.has(id)) chips.set(id, { id, kind: source.kind, value: source.value, source });
    }
  const error = calls.find(hasFailed)?.error ?? "";
  const rank = ({ kind, value }: Chip) => (error.includes(value) ? 0 : kind === "message" ? 2 : 1);
  return [...chips.values()].sort((a, b) => rank(a) - rank(b));
}

/** A value that is followed through the session: where it comes from, and each call that used it, in order. */
export interface Way {
  source: Source;
  uses: readonly string[];
}

/** Follows the value of a chip. */
export function followValue({ calls }: Pick<SessionMap, "calls">, links: Links, source: Source): Way {
  const isSame = (one: Source) => one.from === source.from && one.seq === source.seq && one.value === source.value;
  return { source, uses: calls.map(keyOf).filter((key) => links.get(key)?.some(isSame)) };
}

/** The calls that used results of each call, in order. */
export function readersOf(links: Links): ReadonlyMap<string, readonly string[]> {
  const readers = new Map<string, string[]>();
  for (const [reader, sources] of links)
    for (const from of new Set(sources.flatMap((source) => source.from ?? []))) {
      const known = readers.get(from);
      if (known) known.push(reader);
      else readers.set(from, [reader]);
    }
  return readers;
}
