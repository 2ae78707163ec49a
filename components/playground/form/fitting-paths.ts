import { findLinks } from "@/lib/plan/links.ts";
import type { LocalizedText } from "@/lib/plan/localized-text.ts";
import type { SchemaChecker } from "@/lib/plan/schema/schema-checker.ts";
import type { Source } from "@/lib/plan/schema/schema-source.ts";
import { Comparison } from "@/lib/plan/schema/schema-types.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { KnownPath } from "../editor/known-paths.ts";
import type { ReadCalls } from "../read-calls.ts";

/** A path that a parameter can read. */
export interface FittingPath extends KnownPath {
  /** Why its values do not fit the parameter; null when they do, or may. */
  misfit: LocalizedText | null;
}

/** Where a parameter's schema stands. */
export interface AskedValue {
  schema: Json;
  root: Json;
}

/** Values are checked by the server: here only what is known of their types counts. */
const TYPES_ONLY: SchemaChecker = { faults: () => [], refusal: () => null, bounded: () => TYPES_ONLY };

/**
 * The paths that a call can read without waiting for itself, compared with what a parameter asks for: those that fit
 * come first.
 */
export function fittingPaths(
  paths: readonly KnownPath[],
  { calls }: ReadCalls,
  reader: string,
  asked: AskedValue,
): FittingPath[] {
  const after = callsAfter(calls, reader);
  const compared = paths
    .filter(({ writer }) => writer === null || !after.has(writer))
    .map((path) => ({ ...path, misfit: misfitOf(path.source, asked) }));
  return [...compared.filter(({ misfit }) => !misfit), ...compared.filter(({ misfit }) => misfit)];
}

/** Why no value of a source fits a parameter; null when one may. */
export function misfitOf(source: Source, asked: AskedValue): LocalizedText | null {
  return new Comparison(TYPES_ONLY).compare(source, asked).find(({ certain }) => certain) ?? null;
}

/** A call and all calls that wait for it. */
function callsAfter(calls: ReadCalls["calls"], id: string): ReadonlySet<string> {
  const readers = Map.groupBy(findLinks(calls), ({ from }) => from);
  const found = new Set([id]);
  for (const call of found) for (const { to } of readers.get(call) ?? []) found.add(to);
  return found;
}
