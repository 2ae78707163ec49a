"use client";

import { useTranslations } from "next-intl";
import { isRef } from "@/lib/session/json/cite.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { useFieldName } from "./use-field-name.ts";
import { ValueText } from "./value-text.tsx";

/** The name of a field that is edited, and the value that it would replace. */
export function FieldLabel({ path, before }: { path: readonly string[]; before: JsonObject | null }) {
  const t = useTranslations("approvals");
  const field = path.at(-1) ?? "";
  const word = useFieldName()(field);
  const known = before !== null && !isRef(before) && Object.hasOwn(before, field);
  return (
    <span className="flex flex-wrap items-baseline gap-x-1.5">
      {word && <span className="font-medium text-fg">{word}</span>}
      <span className="font-mono">{word ? field : path.join(".")}</span>
      {known && (
        <span className="ml-auto">
          {t("nowIs")} <ValueText value={before[field]} />
        </span>
      )}
    </span>
  );
}
