import { useLocale, useTranslations } from "next-intl";
import { useMemo } from "react";
import { JsonTree } from "@/components/inspector/json-tree.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { readDocument } from "@/lib/memory/document.ts";
import type { DocumentFault } from "@/lib/memory/file/document-fault.ts";
import { selfCheck } from "@/lib/memory/self-check.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { Faults } from "./faults.tsx";
import { MemoryView } from "./memory-view.tsx";

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

interface UnreadableMemoryProps {
  value: Json;
  faults: readonly DocumentFault[];
}

/** An invalid stored memory (M13): its errors, what to do, and the raw value. */
function UnreadableMemory({ value, faults }: UnreadableMemoryProps) {
  const t = useTranslations("memory.unreadable");
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div role="alert" className="flex-none border-line border-b bg-st-failed-bg px-4 py-2.5">
        <h3 className="flex items-center gap-1.5 text-13 font-semibold">
          <Icon name="failed" className="text-st-failed" />
          {t("title")}
        </h3>
        <div className="pl-5.5">
          <Faults faults={faults} />
          <p className="mt-1.5 text-pretty text-fg-2">{t("mend")}</p>
        </div>
      </div>
      <JsonTree label={t("raw")} value={value} className="min-h-0 flex-1 py-2" />
    </div>
  );
}
