import type { PlanCall } from "@/lib/plan/call.ts";
import type { Link } from "@/lib/plan/links.ts";
import { overlaps } from "@/lib/plan/overlap.ts";

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
