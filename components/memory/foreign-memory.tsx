import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { RowMark } from "@/components/inspector/json-rows.ts";
import { JsonTree } from "@/components/inspector/json-tree.tsx";
import type { DocumentFault } from "@/lib/memory/file/document-fault.ts";
import { printPath } from "@/lib/plan/reference.ts";
import { diffValues } from "@/lib/session/json/diff.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { Faults } from "./faults.tsx";

interface ForeignMemoryProps {
  memory: Json;
  /** The value before the step; null without a comparison. */
  before: Json;
  /** How it differs from the memory of this server's agents. */
  faults: readonly DocumentFault[];
}

/** A memory in a custom format, as external agents store it: a tree with the step's changes marked. */
export function ForeignMemory({ memory, before, faults }: ForeignMemoryProps) {
  const t = useTranslations("memory.foreign");
  const marks = useMemo(() => marksOf(before, memory), [before, memory]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <details className="flex-none border-line border-b px-4 py-2 text-fg-2">
        <summary className="min-h-6 text-pretty">{t("title")}</summary>
        <Faults faults={faults} />
      </details>
      <JsonTree
        label={t("tree")}
        value={memory}
        prefix="†memory"
        markOf={({ id }) => marks.get(id) ?? null}
        opened={new Set(marks.keys())}
        className="min-h-0 flex-1 py-2"
      />
    </div>
  );
}

/** Each changed path and, as changed, every collection above it. */
function marksOf(before: Json, memory: Json): ReadonlyMap<string, RowMark> {
  const marks = new Map<string, RowMark>();
  if (before === null) return marks;
  for (const { path, kind } of diffValues(before, memory)) {
    for (let length = 1; length < path.length; length++) marks.set(printPath(path.slice(0, length)), "change");
    if (kind !== "remove") marks.set(printPath(path), kind);
  }
  return marks;
}
