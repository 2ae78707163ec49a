import type { Json, JsonObject } from "../../session/json/json.ts";
import type { KnownOutput, PlanEdge } from "../../session/session.ts";
import type { PlanCall } from "../call.ts";
import { type Context, instancesOf, kindsOf, messageOf, schemaOf } from "../context.ts";
import { findLinksUpTo, type Link } from "../links.ts";
import { type LocalizedText, localized } from "../localized-text.ts";
import type { PlanProblem } from "../problem.ts";
import { prepare } from "../schedule/prepare.ts";
import type { SchemaChecker } from "../schema/schema-checker.ts";
import { Comparison } from "../schema/schema-types.ts";
import { createScope } from "../scope.ts";
import type { Toolbox } from "../tool.ts";
import { type KnownCall, readPlan } from "./validate-calls.ts";
import { checkDelegates } from "./validate-delegates.ts";
import { InstanceProblems } from "./validate-instances.ts";
import { checkOrder } from "./validate-order.ts";
import { checkParameters } from "./validate-parameters.ts";
import { bindReads } from "./validate-reads.ts";
import { checkWrites, Results, writtenBy } from "./validate-writes.ts";

/** A plan and what it is read against. */
export interface PlanInput {
  plan: readonly JsonObject[];
  toolbox: Toolbox;
  context: Context;
  checker: SchemaChecker;
  /** How deep the run is in delegates already; 0 for one that nobody delegated. */
  depth?: number;
  /** The delegates that it is in, the outermost first. */
  delegateStack?: readonly string[];
}

/** A plan as validation has read it. */
export interface PlanReading {
  /** No problem is an error. */
  ok: boolean;
  problems: PlanProblem[];
  /** Each id once, with what their tools prescribe and what is known of their writes (P2, P9, P27). */
  calls: PlanCall[];
  /** The calls as a plan records them: with what their tools prescribe, and `_id` filled in. */
  plan: JsonObject[];
  outputs: KnownOutput[];
  /** `[""]` when there are none. */
  instances: string[];
  graph: { nodes: { id: string; tool: string }[]; edges: PlanEdge[] };
}

/**
 * Checks a plan before anything runs and gives every problem at once, in the order of the calls (P16). Instances are
 * checked one by one; a problem of all of them is reported once.
 */
export function validatePlan(input: PlanInput): PlanReading {
  const { toolbox, context, depth = 0, delegateStack = [] } = input;
  const checker = input.checker.bounded();
  const read = readPlan(input.plan, toolbox, checker);
  const instances = instancesOf(context);
  const sized = findLinksOf(read.calls, instances);
  const ofInstances = sized.ok
    ? checkInstances(read.calls, instances, { toolbox, context, checker, links: sized.links })
    : { problems: [sized.problem], edges: [] };
  const problems = inPlanOrder(read.calls, [
    ...read.problems,
    ...checkNames(read.calls, instances, context),
    ...checkDelegates(read.calls, toolbox, depth, delegateStack),
    ...ofInstances.problems,
  ]);
  return {
    ok: problems.every(({ severity }) => severity !== "error"),
    problems,
    calls: read.calls.map(({ call }) => call),
    plan: read.plan,
    outputs: read.outputs,
    instances,
    graph: { nodes: read.calls.map(({ call: { id, tool } }) => ({ id, tool })), edges: ofInstances.edges },
  };
}

/** As many calls in all, each instance's counted: about 5 s of checking and 1 GB of running are behind them. */
const MOST_CALLS = 50_000;
/** As many links between calls: about 2 s of checking. */
const MOST_LINKS = 250_000;

/** The links between a plan's calls; the problem of a plan that is too large to be checked. */
function findLinksOf(
  calls: readonly KnownCall[],
  instances: readonly string[],
): { ok: true; links: Link[] } | { ok: false; problem: PlanProblem } {
  const own = calls.filter(({ call }) => call.instance !== "").length;
  const all = own + (calls.length - own) * instances.length;
  const refuse = (text: LocalizedText) => ({
    ok: false as const,
    problem: { code: "unchecked", severity: "error", call: null, path: "", ...text } satisfies PlanProblem,
  });
  if (all > MOST_CALLS)
    return refuse(
      localized(
        "too_many_calls",
      )`The plan has ${calls.length} calls for ${instances.length} instances, ${all} in all, and a run may have at most ${MOST_CALLS}; send fewer calls or instances`,
    );
  const links = findLinksUpTo(
    calls.map(({ call }) => call),
    MOST_LINKS / instances.length,
  );
  if (links === null)
    return refuse(
      localized(
        "too_many_links",
      )`The plan has more than ${MOST_LINKS} links between writers and readers of a path, in all instances together; read narrower paths, or send the plan in parts`,
    );
  return { ok: true, links };
}

function checkInstances(
  calls: readonly KnownCall[],
  instances: readonly string[],
  input: Pick<Shared, "toolbox" | "context" | "checker" | "links">,
): { problems: PlanProblem[]; edges: PlanEdge[] } {
  const shared: Shared = { calls, ...input, results: new Results(), comparison: new Comparison(input.checker) };
  const found = new InstanceProblems(instances);
  const edges = new Map<string, PlanEdge>();
  for (const instance of instances) {
    const own = checkInstance(shared, instance);
    for (const problem of own.problems) found.add(instance, problem);
    for (const edge of own.edges) edges.set(`${edge.from}\u0000${edge.to}`, edge);
  }
  const ownInstances = new Map(calls.map(({ call }) => [call.id, call.instance]));
  return { problems: found.told((id) => ownInstances.get(id) !== ""), edges: [...edges.values()] };
}

interface Shared {
  calls: readonly KnownCall[];
  links: readonly Link[];
  toolbox: Toolbox;
  context: Context;
  checker: SchemaChecker;
  results: Results;
  comparison: Comparison;
}

function checkInstance(shared: Shared, instance: string): { problems: PlanProblem[]; edges: PlanEdge[] } {
  const { toolbox, context, checker, results, comparison } = shared;
  const calls = shared.calls.filter(({ call }) => call.instance === "" || call.instance === instance);
  const begin = messageOf(context, "state", instance)?.data;
  const scope = createScope(context, instance, () => begin);
  const prepared = prepare(
    calls.map(({ call }) => call),
    (reference) => scope.read(reference) !== undefined,
    calls.length === shared.calls.length ? shared.links : null,
  );
  const { schema: stateSchema, problems } = readStateSchema(context, instance, checker);
  const written = new Map(calls.map((known) => [known.call.id, writtenBy(known, results, stateSchema, checker)]));
  const sight = { prepared, scope, kinds: kindsOf(context), begin, stateSchema, written, results };
  const linksTo = Map.groupBy(prepared.links, ({ to }) => to);
  const order = checkOrder(prepared);
  problems.push(...order.problems);
  for (const known of calls) {
    const { id } = known.call;
    const bound = bindReads(known.call, linksTo.get(id) ?? [], sight);
    problems.push(
      ...bound.problems,
      ...checkParameters(known, bound.given, toolbox, comparison),
      ...checkWrites(known, written.get(id) ?? [], results, stateSchema, comparison),
    );
  }
  return { problems, edges: order.edges };
}

/** The state's schema for an instance; an invalid one is a problem, and is then ignored. */
function readStateSchema(
  context: Context,
  instance: string,
  checker: SchemaChecker,
): { schema: Json | undefined; problems: PlanProblem[] } {
  const schema = schemaOf(context, "state", instance);
  const refusal = schema === undefined ? null : checker.refusal(schema);
  if (refusal === null) return { schema, problems: [] };
  const text = localized(
    "invalid_state_schema",
  )`The state's schema is not a valid JSON Schema: it ${refusal}; correct it, or omit it`;
  return {
    schema: undefined,
    problems: [{ code: "outside_schema", severity: "error", call: null, path: "", ...text }],
  };
}

/** Instances and kinds that a call names and that are not there (P25, P28). */
function checkNames(calls: readonly KnownCall[], instances: readonly string[], context: Context): PlanProblem[] {
  const known = new Set(instances.filter((instance) => instance !== ""));
  const kinds = new Set(["state", "input", ...kindsOf(context)]);
  return calls.flatMap(({ call }): PlanProblem[] => [
    ...(call.instance === "" || known.has(call.instance)
      ? []
      : [
          nameProblem(
            "unknown_instance",
            call.id,
            "/_instance",
            known.size === 0
              ? localized(
                  "no_instances",
                )`There is no instance ${call.instance}; the context has none, so omit _instance`
              : localized(
                  "unknown_instance",
                )`There is no instance ${call.instance}; there is only ${[...known].join(", ")}`,
          ),
        ]),
    ...call.scopes.flatMap((kind, index) =>
      kinds.has(kind)
        ? []
        : [
            nameProblem(
              "unknown_scope",
              call.id,
              `/_scopes/${index}`,
              localized(
                "unknown_scope",
              )`The context has no data of the kind ${kind}; there is only ${[...kinds].join(", ")}`,
            ),
          ],
    ),
  ]);
}

function nameProblem(
  code: "unknown_instance" | "unknown_scope",
  call: string,
  path: string,
  text: LocalizedText,
): PlanProblem {
  return { code, severity: "error", call, path, ...text };
}

/** As the calls stand in the plan, each one's errors first. */
function inPlanOrder(calls: readonly KnownCall[], problems: readonly PlanProblem[]): PlanProblem[] {
  const places = new Map(calls.map(({ call }, place) => [call.id, place]));
  const rank = ({ call, severity }: PlanProblem) =>
    2 * (call === null ? -1 : (places.get(call) ?? places.size)) + (severity === "error" ? 0 : 1);
  return problems.toSorted((a, b) => rank(a) - rank(b));
}
