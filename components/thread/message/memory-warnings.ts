import type { Message } from "@/lib/session/session.ts";

/** The self-check's warnings beside an answer (M10), one sentence each. */
export function memoryWarnings({ metadata }: Pick<Message, "metadata">): string[] {
  const warnings = metadata?.warnings;
  return Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === "string") : [];
}
