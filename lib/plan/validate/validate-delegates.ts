import type { JsonObject } from "../../session/json/json.ts";
import { type LocalizedText, localized } from "../localized-text.ts";
import type { PlanProblem } from "../problem.ts";
import { effectiveCall } from "../schema/tool-schema.ts";
import type { DelegateShape, Toolbox } from "../tool.ts";
import type { KnownCall } from "./validate-calls.ts";

/** How deep delegates may call delegates; a run that nobody delegated is at 0 (P27). */
export const DEEPEST_RUN = 8;

/** The delegate that is an empty clean room; it always exists (P27). */
const ANONYMOUS = "anonymous";

/** What a delegate leads to. */
interface Reach {
  /** The longest way down from it, itself first. */
  chain: string[];
  /** A way from a delegate back to itself on which one has no bound; null for none. */
  loop: string[] | null;
}

/**
 * Finds delegates that do not exist, and those that lead too deep or to themselves without a bound (P27). `depth` is
 * how deep the run is in delegates already, `stack` their names.
 */
export function checkDelegates(
  calls: readonly KnownCall[],
  toolbox: Toolbox,
  depth: number,
  stack: readonly string[],
): PlanProblem[] {
  const known = new Map<string, Reach>();
  return calls.flatMap(({ call, delegate }): PlanProblem[] => {
    if (call.delegate === null) return [];
    const told = (
      code: "unknown_delegate" | "too_deep",
      text: LocalizedText,
      severity: PlanProblem["severity"] = "error",
    ) => [{ code, severity, call: call.id, path: "/_delegate", ...text }];
    if (!delegate && call.delegate !== ANONYMOUS) {
      return told(
        "unknown_delegate",
        localized("unknown_delegate")`There is no delegate ${call.delegate}; name one that exists, or ${ANONYMOUS}`,
      );
    }
    const { chain, loop } = delegate ? reachOf(delegate, toolbox, known, []) : { chain: [ANONYMOUS], loop: null };
    if (loop) {
      const way = loop.join(" → ");
      return told(
        "too_deep",
        localized(
          "unbounded_recursion",
        )`The delegate ${call.delegate} leads to unbounded recursion: ${way}; set max_depth on each of them, or break the loop`,
      );
    }
    const entered = stack.filter((name) => name === call.delegate).length;
    if (entered > 0)
      return reentry(call.delegate, entered, delegate?.max_depth ?? null, depth).flatMap(([severity, text]) =>
        told("too_deep", text, severity),
      );
    if (depth + chain.length <= DEEPEST_RUN) return [];
    return told(
      "too_deep",
      localized(
        "too_deep",
      )`The delegate ${call.delegate} would nest ${depth + chain.length} levels deep (${chain.join(" → ")}), and the limit is ${DEEPEST_RUN}; call it from a higher level`,
    );
  });
}

/** A bounded delegate at its bound: whether its call ever starts is for the run to see, and to refuse. */
function reentry(
  name: string,
  entered: number,
  bound: number | null,
  depth: number,
): [PlanProblem["severity"], LocalizedText][] {
  if (bound === null)
    return [
      ["error", localized("unbounded_self_call")`The delegate ${name} calls itself without a limit; set its max_depth`],
    ];
  if (entered <= bound && depth < DEEPEST_RUN) return [];
  return [
    [
      "warning",
      localized(
        "recursion_limit",
      )`The delegate ${name} may call itself ${bound} times and nest ${DEEPEST_RUN} levels at most, so this call would fail; remove the call, or raise max_depth`,
    ],
  ];
}

/** Goes down a delegate's own plan. Delegates that plan by a model lead where nobody knows: the run watches those. */
function reachOf(
  delegate: DelegateShape,
  toolbox: Toolbox,
  known: Map<string, Reach>,
  way: readonly DelegateShape[],
): Reach {
  const found = known.get(delegate.name);
  if (found) return found;
  const above = [...way, delegate];
  const reach: Reach = { chain: [delegate.name], loop: null };
  for (const name of delegatesIn(delegate.plan ?? [], toolbox)) {
    const at = above.findIndex((other) => other.name === name);
    const next = name === ANONYMOUS ? undefined : toolbox.delegate(name);
    if (at >= 0) {
      const round = above.slice(at);
      if (round.some(({ max_depth }) => max_depth === null)) reach.loop ??= [...round.map((each) => each.name), name];
      continue;
    }
    // Whoever is deeper than allowed is told so: there is no need to look further down.
    const below: Reach =
      next && above.length <= DEEPEST_RUN ? reachOf(next, toolbox, known, above) : { chain: [name], loop: null };
    reach.loop ??= below.loop;
    if (below.chain.length >= reach.chain.length) reach.chain = [delegate.name, ...below.chain];
  }
  known.set(delegate.name, reach);
  return reach;
}

/** The delegates that a plan names, by itself or because its tools prescribe them (P2). */
function delegatesIn(plan: readonly JsonObject[], toolbox: Toolbox): Set<string> {
  return new Set(
    plan.flatMap((call) => {
      const tool = typeof call._tool === "string" ? toolbox.tool(call._tool) : undefined;
      const { _delegate } = effectiveCall(call, tool);
      return typeof _delegate === "string" && _delegate !== "" ? [_delegate] : [];
    }),
  );
}
