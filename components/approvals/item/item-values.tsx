"use client";

import { useTranslations } from "next-intl";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { changesOf, figuresOf } from "./changes.ts";
import { useFieldName } from "./use-field-name.ts";
import { ValueText } from "./value-text.tsx";

/** The first values of an action in one line, and how many more there are. */
export function ItemValues({ item }: { item: ListedConfirmation }) {
  const t = useTranslations("approvals");
  const fieldName = useFieldName();
  const changes = changesOf(item.action.params, item.before, null);
  const [first] = changes;
  if (!first)
    return <span className="mt-0.5 block truncate font-mono text-11 leading-4 text-fg-3">{item.action.method}</span>;
  const figures = figuresOf(first);
  const field = first.name.split(".").at(-1) ?? "";
  return (
    <span className="mt-0.5 block truncate text-fg-2 tabular-nums">
      <span className="text-fg-3">{fieldName(field) ?? field}: </span>
      {first.before !== undefined && (
        <span className="text-fg-3">
          <ValueText value={figures?.before ?? first.before} /> →{" "}
        </span>
      )}
      <span className="font-medium text-fg">
        <ValueText value={figures?.after ?? first.after} />
      </span>
      {changes.length > 1 && <span className="text-fg-3"> {t("moreValues", { count: changes.length - 1 })}</span>}
    </span>
  );
}
