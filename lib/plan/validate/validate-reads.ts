import { isJsonObject, type Json } from "../../session/json/json.ts";
import type { PlanCall, Read } from "../call.ts";
import type { Link, ReferencePlace } from "../links.ts";
import { type LocalizedText, localized } from "../localized-text.ts";
import { overlaps } from "../overlap.ts";
import { type PlanProblem, pointerTo } from "../problem.ts";
import { type Path, printExpression, printPath, printReference, type Reference } from "../reference.ts";
import type { Prepared } from "../schedule/prepare.ts";
import { formsOf, oneOf, partAt, type Source, schemaSource, TOLD } from "../schema/schema-source.ts";
import type { Scope } from "../scope.ts";
import { statusOfTargets } from "./targets.ts";
import type { Results, Written } from "./validate-writes.ts";

/** What one instance's calls can read before the plan runs, and what they will write. */
export interface Sight {
  prepared: Prepared;
  scope: Scope;
  /** The kinds of data that there are, for the message about an unknown one. */
  kinds: ReadonlySet<string>;
  /** The own state that the instance begins with. */
  begin: Json | undefined;
  stateSchema: Json | undefined;
  written: ReadonlyMap<string, readonly Written[][]>;
  results: Results;
}

/** Whether a value can arrive at a reference, and what it can be. */
type ReadStatus =
  | { is: "arrives" | "declared"; sources: Source[] }
  /** `reason` ends the sentence that says that the value will never exist. */
  | { is: "dead"; reason: LocalizedText };

/** What a read of a call can give: nothing if a problem of it has been reported. */
export type Given = ReadonlyMap<Read, Source>;

/** The longest path below which parts are still composed. */
const MOST_SEGMENTS = 64;

/** Finds what each read of a call can give, and the reads that nothing can fill (P7, P16). */
export function bindReads(
  call: PlanCall,
  links: readonly Link[],
  sight: Sight,
): { given: Given; problems: PlanProblem[] } {
  // They come in the order of the reads.
  let next = 0;
  const linksAt = (place: ReferencePlace): Link[] => {
    const found: Link[] = [];
    for (let link = links[next]; link && isSamePlace(link.read, place); link = links[++next]) found.push(link);
    return found;
  };
  const given = new Map<Read, Source>();
  const problems: PlanProblem[] = [];
  const runs = sight.prepared.facts.canRun(call.id);
  call.reads.forEach((read, index) => {
    // A call that can run has no clash in what it needs, so that only alternatives are compared pair by pair.
    const mayClash = !runs || read.expression.length > 1;
    const gates = read.expression.map((gate, alternative) => {
      const members = gate.map((reference, member): Member => {
        const links = linksAt({ read: index, alternative, member });
        return { reference, links, standing: standingOf(call, reference, links, sight) };
      });
      return mayClash ? withoutClash(members, sight) : members;
    });
    given.set(read, sourceOfRead(gates));
    problems.push(...unboundProblems(call, read, gates));
  });
  return { given, problems: problems.length > 0 ? problems : neverRuns(call, links, sight) };
}

/** Two members of a gate that need different alternatives of one call are never both there (P6, P16). */
function withoutClash(gate: Member[], sight: Sight): Member[] {
  for (const [index, later] of gate.entries()) {
    const earlier = gate.slice(0, index).find((each) => areExclusive(each, later, sight));
    if (!earlier) continue;
    const reason = localized(
      "different_alternatives",
    )`${printReference(earlier.reference)} and ${printReference(later.reference)} come from different alternatives of one call; read only one of them`;
    return gate.with(index, { ...later, standing: { is: "dead", reason } });
  }
  return gate;
}

function areExclusive(a: Member, b: Member, { prepared: { facts }, scope }: Sight): boolean {
  if (a.links.length === 0 || b.links.length === 0) return false;
  if (scope.read(a.reference) !== undefined || scope.read(b.reference) !== undefined) return false;
  return a.links.every((one) =>
    b.links.every((other) => {
      // A writer that never runs is reported by itself.
      if (!facts.canRun(one.from) || !facts.canRun(other.from)) return false;
      if (one.from === other.from) return one.write.alternative !== other.write.alternative;
      return facts.areExclusive(facts.of(writeOf(one)), facts.of(writeOf(other)));
    }),
  );
}

function writeOf({ from, write }: Link): { call: string; alternative: number } {
  return { call: from, alternative: write.alternative };
}

/** Each of its reads can arrive, but never all of them. The rest of the plan runs, so this is no error. */
function neverRuns(call: PlanCall, links: readonly Link[], { prepared: { facts } }: Sight): PlanProblem[] {
  if (facts.canRun(call.id) || !links.every(({ from }) => facts.canRun(from))) return [];
  const text = localized(
    "never_runs",
  )`${call.id} never runs: its parameters read different alternatives of one call; read one branch, or join the branches with ||`;
  return [{ code: "unbound", severity: "warning", call: call.id, path: "", ...text }];
}

interface Member {
  reference: Reference;
  standing: ReadStatus;
  links: readonly Link[];
}

function isSamePlace(a: ReferencePlace, b: ReferencePlace): boolean {
  return a.read === b.read && a.alternative === b.alternative && a.member === b.member;
}

/** The value of a gate is its last member's (P6). */
function sourceOfRead(gates: readonly Member[][]): Source {
  const reads = gates.flatMap((gate) => {
    const last = gate.at(-1);
    if (!last || last.standing.is === "dead" || gate.some(({ standing }) => standing.is === "dead")) return [];
    return last.standing.sources.map((source) => ({ reference: printReference(last.reference), source }));
  });
  return reads.length === 0 ? TOLD : { is: "reads", reads };
}

function unboundProblems(call: PlanCall, read: Read, gates: readonly Member[][]): PlanProblem[] {
  if (gates.every((gate) => gate.every(({ standing }) => standing.is === "arrives"))) return [];
  const problem = (severity: PlanProblem["severity"], text: LocalizedText): PlanProblem => ({
    code: "unbound",
    severity,
    call: call.id,
    path: pointerTo(read.parameter),
    ...localized("unbound_read")`The parameter ${nameOf(read.parameter)} of ${call.id} reads ${text}`,
  });
  const dead = gates.flatMap((gate) =>
    gate.flatMap(({ reference, standing }) => (standing.is === "dead" ? [{ reference, reason: standing.reason }] : [])),
  );
  if (gates.every((gate) => gate.some(({ standing }) => standing.is === "dead"))) {
    const reasons = [...new Map(dead.map(({ reason }) => [reason.message, reason])).values()].reduce(
      (before, reason) => localized("and_reason")`${before}; and ${reason}`,
    );
    return [
      problem(
        "error",
        localized("never_exists")`${printExpression(read.expression)}, which will never exist: ${reasons}`,
      ),
    ];
  }
  return [
    ...dead.map(({ reference, reason }) =>
      problem("warning", localized("never_exists")`${printReference(reference)}, which will never exist: ${reason}`),
    ),
    ...gates
      .flat()
      .flatMap(({ reference, standing }) =>
        standing.is === "declared"
          ? [
              problem(
                "warning",
                localized(
                  "declared_only",
                )`${printReference(reference)}, which is in the state's schema but is never written; let a call write it, or put it into the initial state`,
              ),
            ]
          : [],
      ),
  ];
}

/** A place among the parameters as a person writes it: `items[0].id`. */
export function nameOf(parameter: Path): string {
  return printPath(parameter).replace(/^\./, "");
}

function standingOf(call: PlanCall, reference: Reference, links: readonly Link[], sight: Sight): ReadStatus {
  const given = sight.scope.read(reference);
  const parts: { path: readonly string[]; source: Source }[] = [];
  const whole = new Set<Source>();
  const lacking = new Map<string, LocalizedText>();
  const addLacking = (reason: LocalizedText) => lacking.set(reason.message, reason);
  for (const { from, write } of links) {
    const fanOut = sight.prepared.byId.get(from)?.output?.[write.alternative] ?? [];
    const target = fanOut[write.target];
    const written = sight.written.get(from)?.[write.alternative]?.[write.target];
    if (!target || !written) continue;
    if (statusOfTargets(sight.begin, fanOut) !== "free")
      addLacking(
        localized(
          "target_taken",
        )`${from} cannot write ${printReference(target)}, because the state already has a value there`,
      );
    else if (target.path.length > reference.path.length) {
      parts.push({ path: target.path.slice(reference.path.length), source: sight.results.partOf(written, []) ?? TOLD });
    } else {
      const part = sight.results.partOf(written, reference.path.slice(target.path.length));
      if (part) whole.add(part);
      else
        addLacking(
          localized(
            "result_lacks",
          )`the result that ${from} writes to ${printReference(target)} has no ${nameOf(reference.path.slice(target.path.length))}`,
        );
    }
  }
  const sources = sourcesOf(given, [...whole], parts);
  const inSchema = reference.kind === "state" ? partOfSchema(sight.stateSchema, reference.path) : undefined;
  if (sources.length > 0) {
    const isNarrowed = given === undefined && inSchema && inSchema.is !== "unknown";
    return { is: "arrives", sources: isNarrowed ? sources.map((source) => narrowed(source, inSchema)) : sources };
  }
  const [first, ...others] = lacking.values();
  if (first) {
    const reasons = others.reduce((before, reason) => localized("list_reasons")`${before}; ${reason}`, first);
    return { is: "dead", reason: localized("read_existing_path")`${reasons}; read a path that exists` };
  }
  if (inSchema && inSchema.is !== "unknown") return { is: "declared", sources: [inSchema] };
  // Reported as a cycle.
  if (call.output?.flat().some((target) => overlaps(target, reference))) return { is: "arrives", sources: [TOLD] };
  return { is: "dead", reason: whyNothing(reference, sight) };
}

function narrowed(source: Source, schema: Source): Source {
  return source === TOLD ? TOLD : { is: "all of", sources: [source, schema] };
}

function whyNothing({ kind, path }: Reference, { scope, kinds }: Sight): LocalizedText {
  const name = printReference({ kind, path });
  if (kind === "state")
    return localized(
      "nobody_writes",
    )`no call writes ${name}, and the initial state does not have it; let a call write it, or put it into the initial state`;
  if (scope.has(kind))
    return path.length === 0
      ? localized("kind_empty")`the ${kind} has no data; add it, or read a path that exists`
      : localized("path_missing")`the ${kind} has no ${nameOf(path)}; add it, or read a path that exists`;
  return localized(
    "unknown_kind",
  )`the context has no data of the kind ${kind}, only ${[...new Set(["state", ...kinds])].join(", ")}; add it, or read one of these`;
}

/** Undefined where the schema says nothing of the path, null where it rules it out. */
function partOfSchema(schema: Json | undefined, path: Path): Source | null | undefined {
  if (schema === undefined || schema === true) return undefined;
  return partAt(schemaSource(schema), path);
}

function sourcesOf(
  given: Json | undefined,
  whole: Source[],
  parts: { path: readonly string[]; source: Source }[],
): Source[] {
  if (whole.length === 0) return given === undefined && parts.length === 0 ? [] : [composed(given, parts)];
  if (parts.length > 0) return [SEVERAL];
  return given === undefined ? whole : laidOver(given, whole);
}

/** What an instance writes where all share a value (P14b): without it, the shared one is what is read. */
function laidOver(shared: Json, whole: readonly Source[]): Source[] {
  const laid = whole.map((source) => (isJsonObject(shared) && mayBeObject(source) ? LAID : source));
  return [...laid, { is: "one of", sources: [...laid, { is: "value", value: shared }] }];
}

function mayBeObject(source: Source): boolean {
  return formsOf(source).some(({ types }) => types.includes("object"));
}

const LAID: Source = {
  is: "unknown",
  reason: localized("merged_state")`is merged with the state that all instances share`,
};

const SEVERAL: Source = { is: "unknown", reason: localized("several_writers")`is written in parts by several calls` };

/** An object of what is there and of what calls will write below it. */
function composed(begin: Json | undefined, parts: readonly { path: readonly string[]; source: Source }[]): Source {
  if (parts.length === 0) return begin === undefined ? TOLD : { is: "value", value: begin };
  const here = parts.filter(({ path }) => path.length === 0).map(({ source }) => source);
  if (here.length === parts.length && begin === undefined) return oneOf([...new Set(here)]) ?? TOLD;
  if (here.length > 0 || parts.some(({ path }) => path.length > MOST_SEGMENTS)) return SEVERAL;
  if (begin !== undefined && !isJsonObject(begin)) return { is: "value", value: begin };
  const groups = new Map<string, { path: readonly string[]; source: Source }[]>(
    Object.keys(begin ?? {}).map((key) => [key, []]),
  );
  for (const { path, source } of parts) {
    const [key = "", ...rest] = path;
    const group = groups.get(key);
    if (group) group.push({ path: rest, source });
    else groups.set(key, [{ path: rest, source }]);
  }
  const entries = [...groups].map(([key, group]) => {
    const own = begin && Object.hasOwn(begin, key) ? begin[key] : undefined;
    return [key, { source: composed(own, group), required: own !== undefined }] as const;
  });
  return { is: "object", entries: new Map(entries) };
}
