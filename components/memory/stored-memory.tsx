import { useLocale } from "next-intl";
import { useMemo } from "react";
import { readDocument } from "@/lib/memory/document.ts";
import { selfCheck } from "@/lib/memory/self-check.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { MemoryView } from "./memory-view.tsx";
import { UnreadableMemory } from "./unreadable-memory.tsx";

/** A stored memory, checked as of now. */
export function StoredMemory({ value }: { value: Json }) {
  const locale = useLocale();
  const read = useMemo(() => readDocument(value), [value]);
  const now = useMemo(() => new Date(), []);
  if (!read.ok) return <UnreadableMemory value={value} faults={read.faults} />;
  return (
    <MemoryView document={read.document} before={null} warnings={selfCheck(read.document, now, locale)} now={now} />
  );
}
