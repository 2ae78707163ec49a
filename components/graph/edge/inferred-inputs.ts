import type { CallPlace, EdgeSource, InferredEdge } from "@/lib/session/find/inferred-edges.ts";
import { callKey } from "@/lib/session/keys.ts";
import type { Session } from "@/lib/session/session.ts";
import { monoWidth } from "../layout/text-width.ts";

/** Inferred edges by the key of their target call (E15). */
export type InferredByCall = ReadonlyMap<string, readonly InferredEdge[]>;

/** The values that a call used from one source: an earlier call's result, or a message. */
export interface InferredInput {
  source: EdgeSource;
  /** The source call's tool; its id when the session has left the call out. Null for a message. */
  tool: string | null;
  /** The source's node; null when it is not in this graph. */
  from: string | null;
  edges: readonly [InferredEdge, ...InferredEdge[]];
}

/** An icon is shown when the source is not in this graph. */
const SIGN = 16;
/** The length of a speaker's name. */
const SPEAKER = "customer";

/** Groups edges by their target. */
export function byCall(edges: readonly InferredEdge[]): InferredByCall {
  return Map.groupBy(edges, ({ to }) => keyOf(to));
}

/** A call's inferred inputs by source; `nodes` are the earlier calls of this graph, by key. */
export function inferredInputsOf(
  edges: readonly InferredEdge[],
  nodes: ReadonlyMap<string, string>,
  session: Session,
): InferredInput[] {
  return [...Map.groupBy(edges, ({ from }) => sourceKey(from)).values()].flatMap(
    ([first, ...others]): InferredInput[] => {
      if (!first) return [];
      const { from: source } = first;
      const key = source.kind === "call" ? keyOf(source.call) : null;
      return [
        {
          source,
          tool: source.kind === "call" ? (session.calls.get(key ?? "")?.tool ?? source.call.call_id) : null,
          from: (key !== null && nodes.get(key)) || null,
          edges: [first, ...others],
        },
      ];
    },
  );
}

/** `orders/1 → id`: the last parts of both paths. `speaker` is the author of a message. */
export function shortEdge({ source, tool, from, edges }: InferredInput, speaker: string = SPEAKER): string {
  const [{ to_path }, ...others] = edges;
  const start = source.kind === "message" ? speaker : startOf(source.path, tool ?? "", from !== null);
  return `${start} → ${shortPath(to_path)}${others.length > 0 ? ` +${others.length}` : ""}`;
}

/** The preferred width of a mark. */
export function markWidth(brought: InferredInput): number {
  return monoWidth(shortEdge(brought)) + 12 + (brought.from === null ? SIGN : 0);
}

/** A JSON Pointer for people: `/orders/1/id` → `orders/1/id`. */
export function readablePath(pointer: string): string {
  return pointer.slice(1).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The call's key in the session. */
export function keyOf({ run_id, iteration, instance, call_id }: CallPlace): string {
  return callKey(run_id, iteration, instance, call_id);
}

/** Without a line from the source, its name says more than a path; a result that is the value itself has no path. */
function startOf(pointer: string, tool: string, isDrawn: boolean): string {
  return (isDrawn && shortPath(pointer)) || tool;
}

/** The last two segments, without a leading array index. */
function shortPath(pointer: string): string {
  const parts = pointer.split("/").slice(-2);
  const [first = ""] = parts;
  return readablePath(`/${(/^\d*$/.test(first) ? parts.slice(1) : parts).join("/")}`);
}

function sourceKey(source: EdgeSource): string {
  return source.kind === "call" ? keyOf(source.call) : `message ${source.seq}`;
}
