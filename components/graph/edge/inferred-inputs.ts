import type { CallPlace, EdgeSource, InferredEdge } from "@/lib/session/find/inferred-edges.ts";
import { callKey } from "@/lib/session/keys.ts";
import type { Session } from "@/lib/session/session.ts";
import { monoWidth } from "../layout/text-width.ts";

/** Edges that nobody declared, by the key of the call that they lead to (E15). */
export type InferredByCall = ReadonlyMap<string, readonly InferredEdge[]>;

/** What one source brought to a call: an earlier call's result, or what somebody said. */
export interface InferredInput {
  source: EdgeSource;
  /** The tool of the call that brought it; its id where the session has left the call out. Null for a message. */
  tool: string | null;
  /** The node from which an edge is drawn; null where the source is not in the same drawing. */
  from: string | null;
  edges: readonly [InferredEdge, ...InferredEdge[]];
}

/** Beside the words of a mark that comes from elsewhere stands a sign. */
const SIGN = 16;
/** How many letters the name of who said something takes. */
const SPEAKER = "customer";

/** Puts edges to where they lead. */
export function byCall(edges: readonly InferredEdge[]): InferredByCall {
  return Map.groupBy(edges, ({ to }) => keyOf(to));
}

/** What was brought to a call, by source; `nodes` are the calls of the same drawing that came before it, by key. */
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

/** `orders/1 → id`: the ends of both paths. `speaker` is who said it, where somebody did. */
export function shortEdge({ source, tool, from, edges }: InferredInput, speaker: string = SPEAKER): string {
  const [{ to_path }, ...others] = edges;
  const start = source.kind === "message" ? speaker : startOf(source.path, tool ?? "", from !== null);
  return `${start} → ${shortPath(to_path)}${others.length > 0 ? ` +${others.length}` : ""}`;
}

/** How wide a mark wants to be. */
export function markWidth(brought: InferredInput): number {
  return monoWidth(shortEdge(brought)) + 12 + (brought.from === null ? SIGN : 0);
}

/** A JSON Pointer as it is read: `/orders/1/id` → `orders/1/id`. */
export function readablePath(pointer: string): string {
  return pointer.slice(1).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The key under which the session has a call. */
export function keyOf({ run_id, iteration, instance, call_id }: CallPlace): string {
  return callKey(run_id, iteration, instance, call_id);
}

/** Where no line leads to the call, its name says more than the path; a result that is no more than the value has no path. */
function startOf(pointer: string, tool: string, isDrawn: boolean): string {
  return (isDrawn && shortPath(pointer)) || tool;
}

/** The last two parts, of which a position in a list does not go first. */
function shortPath(pointer: string): string {
  const parts = pointer.split("/").slice(-2);
  const [first = ""] = parts;
  return readablePath(`/${(/^\d*$/.test(first) ? parts.slice(1) : parts).join("/")}`);
}

function sourceKey(source: EdgeSource): string {
  return source.kind === "call" ? keyOf(source.call) : `message ${source.seq}`;
}
