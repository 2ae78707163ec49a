import type { Part } from "@/lib/session/find/find-words.ts";

/** A text with its hits marked. */
export function MarkedText({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ text, marked }, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
    marked ? <mark key={place}>{text}</mark> : text,
  );
}
