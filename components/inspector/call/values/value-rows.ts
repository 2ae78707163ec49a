import { readablePath } from "@/components/graph/edge/inferred-inputs.ts";
import type { Call } from "@/lib/session/session.ts";
import type { UsedValue, ValueSource, ValueSources } from "@/lib/session/values/value-sources.ts";

/** A call or a message. A path of the context stands beside the value anyway, as its plan names it. */
export type ValueEnd = Exclude<ValueSource, { kind: "path" }>;

/** A value of a call's input or output. */
export interface ValueRow {
  /** The path in the input or output; the state path if only that is declared. */
  path: string;
  /** As text; null if it is none, or if only its path is known. */
  value: string | null;
  /** Where the value came from, or who used it. */
  ends: readonly [ValueEnd, ...ValueEnd[]];
  /** The call's error names it. */
  named: boolean;
}

/** The call's input values with their sources: first those that its error names, then in the order of the call. */
export function sourceRows(sources: ValueSources, call: Call): ValueRow[] {
  const rows = new Rows();
  for (const { parameter, value, source, named } of sources.of(call)) {
    if (source.kind === "path") continue;
    const end = source.kind === "call" ? { ...source, path: shownPath(source) } : source;
    const path = parameter === null ? (source.kind === "message" ? "" : source.path) : readablePath(parameter);
    rows.add({ path, value, ends: [end], named });
  }
  return rows.inOrder();
}

/** The call's output values with the calls that used them. */
export function readerRows(sources: ValueSources, call: Call): ValueRow[] {
  const rows = new Rows();
  for (const used of sources.usesOf(call)) {
    const { reader, declared, parameter, value } = used;
    const path = parameter === null ? used.path : readablePath(parameter);
    rows.add({ path: shownPath(used), value, ends: [{ kind: "call", call: reader, path, declared }], named: false });
  }
  return rows.inOrder();
}

function shownPath({ path, declared }: Pick<UsedValue, "path" | "declared">): string {
  return declared ? path : readablePath(path);
}

class Rows {
  readonly #byPath = new Map<string, ValueRow>();

  add(row: ValueRow): void {
    const key = `${row.path} ${row.value ?? ""}`;
    const known = this.#byPath.get(key);
    if (!known) this.#byPath.set(key, row);
    else {
      const ends = row.ends.filter((end) => !known.ends.some((one) => isSame(one, end)));
      this.#byPath.set(key, { ...known, ends: [...known.ends, ...ends], named: known.named || row.named });
    }
  }

  /** Values that the error names come first. */
  inOrder(): ValueRow[] {
    const rows = [...this.#byPath.values()];
    return [...rows.filter(({ named }) => named), ...rows.filter(({ named }) => !named)];
  }
}

function isSame(one: ValueEnd, other: ValueEnd): boolean {
  if (one.kind === "call") return other.kind === "call" && one.call === other.call && one.path === other.path;
  return other.kind === "message" && one.seq === other.seq;
}
