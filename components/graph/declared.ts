import { type PlanCall, readCall } from "@/lib/plan/call.ts";
import type { Link } from "@/lib/plan/links.ts";
import { parseOutputPath } from "@/lib/plan/output-path.ts";
import { overlaps } from "@/lib/plan/overlap.ts";
import { parseReference } from "@/lib/plan/reference.ts";
import { isJsonObject } from "@/lib/session/json/json.ts";
import type { Call } from "@/lib/session/session.ts";

/**
 * A recorded call with the state paths that its agent says it reads and writes (E15). Its parameters are values, so
 * references in them are not parsed.
 */
export function recordedCall({ id, tool, instance, params, output_path, reads }: Call): PlanCall {
  const bare = readCall({ _id: id, _tool: tool, _instance: instance }, id);
  const output = output_path === null ? null : parseOutputPath(asState(output_path));
  const written = output?.ok ? output.value : null;
  return {
    ...bare,
    parameters: isJsonObject(params) ? params : {},
    outputPath: written,
    output: written,
    reads: reads.flatMap((path) => {
      const reference = parseReference(asState(path));
      return reference.ok ? [{ parameter: [], expression: [[reference.value]] }] : [];
    }),
  };
}

/**
 * The edges between recorded calls in order: each path starts at the newest earlier call that wrote it. Calls that
 * share an id across iterations have no edges.
 */
export function declaredLinks(calls: readonly PlanCall[]): Link[] {
  const times = Map.groupBy(calls, ({ id }) => id);
  const links: Link[] = [];
  const writers: PlanCall[] = [];
  for (const call of calls) {
    if (times.get(call.id)?.length !== 1) continue;
    call.reads.forEach(({ expression }, read) => {
      const [[reference] = []] = expression;
      if (!reference) return;
      const touches = (writer: PlanCall) => targetOf(writer, (target) => overlaps(target, reference));
      const writer = writers.findLast((one) => touches(one) >= 0);
      if (!writer) return;
      const write = { alternative: 0, target: touches(writer) };
      links.push({ from: writer.id, to: call.id, write, read: { read, alternative: 0, member: 0 } });
    });
    if (call.output) writers.push(call);
  }
  return links;
}

type Target = NonNullable<PlanCall["output"]>[number][number];

function targetOf({ output }: PlanCall, fits: (target: Target) => boolean): number {
  return output?.[0]?.findIndex(fits) ?? -1;
}

/** Agents may omit the † of a state path. */
function asState(path: string): string {
  return path.startsWith("†") ? path : `†state.${path}`;
}
