"use client";

import { useTranslations } from "next-intl";
import { useBytes } from "@/components/format/use-bytes.ts";
import { CopyButton } from "@/components/inspector/copy-button.tsx";
import { JsonTree } from "@/components/inspector/json-tree.tsx";
import type { Json } from "@/lib/session/json/json.ts";
import { printJson } from "./drafts.tsx";

/** A value as a tree, with its size, to be copied whole. */
export function ValueTree({ value }: { value: Json }) {
  const t = useTranslations("agents");
  const bytes = useBytes();
  const text = printJson(value);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-7.5 phone:h-11 flex-none items-center justify-between px-4 text-11 text-fg-3">
        <span>{bytes(new TextEncoder().encode(JSON.stringify(value)).length)}</span>
        <CopyButton text={() => text} label={t("entry.copy")} worded />
      </div>
      <JsonTree label={t("view.json")} value={value} className="min-h-0 flex-1 pb-3" />
    </div>
  );
}
