import type { KnownEvent } from "./event.ts";
import type { Folding } from "./folding.ts";
import { patched } from "./patch.ts";

/** The agent's memory changes by a JSON Patch (RFC 6902), all of it or, when it does not fit, none. */
export function foldMemory(folding: Folding, event: Extract<KnownEvent, { type: "memory.updated" }>): void {
  const { root } = folding;
  try {
    root.memory = patched(root.memory ?? {}, event.payload.delta);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    folding.warn(event, "memory_patch_failed", `The memory was not changed, because the patch does not fit: ${why}`);
  }
}
