import type { Message } from "@/lib/session/session.ts";

/** What the memory's self-check has to say beside an answer (M10), a sentence each. */
export function memoryWarnings({ metadata }: Pick<Message, "metadata">): string[] {
  const warnings = metadata?.warnings;
  return Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === "string") : [];
}
