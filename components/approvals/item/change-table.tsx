"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { CSSProperties } from "react";
import { useShortValue } from "@/components/format/use-short-value.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { Confirmation } from "@/lib/session/session.ts";
import { figuresOf, type ValueChange } from "./changes.ts";
import { useFieldName } from "./use-field-name.ts";
import { ValueText } from "./value-text.tsx";

/** Which values are shown: those after the action, those requested, or those approved, which may have been edited. */
const AFTER = { requested: "then", approved: "approved", denied: "asked" } as const;

interface ChangeTableProps {
  changes: readonly ValueChange[];
  status: Confirmation["status"];
}

/** The changes of an action, field by field. Without old values it lists the new ones. */
export function ChangeTable({ changes, status }: ChangeTableProps) {
  const t = useTranslations("approvals.changes");
  const told = changes.some(({ before }) => before !== undefined);
  return (
    <table data-big={changes.length === 1 || undefined} className="change-table">
      <caption className="sr-only">{told ? t("title") : t("values")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("field")}</th>
          {told && <th scope="col">{t(status === "requested" ? "now" : "before")}</th>}
          <th scope="col">{t(told ? AFTER[status] : "value")}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <Row key={change.name} change={change} told={told} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ change, told }: { change: ValueChange; told: boolean }) {
  const fieldName = useFieldName();
  const figures = figuresOf(change);
  const field = change.name.split(".").at(-1) ?? "";
  const word = fieldName(field);
  const short = useShortValue();
  return (
    <tr>
      <th scope="row">
        {word && <span className="block font-medium text-fg">{word}</span>}
        <span className={word ? "font-mono text-11 text-fg-3" : "font-mono text-fg-2"}>
          {word ? field : change.name}
        </span>
      </th>
      {told && (
        <td>
          <del className="old" data-figure={figures ? "" : undefined}>
            <ValueText value={figures?.before ?? change.before} />
          </del>
          <span aria-hidden className="arrow-now text-fg-3">
            {" →"}
          </span>
        </td>
      )}
      <td>
        <div className="flex items-baseline gap-x-3">
          {told && (
            <span aria-hidden className="arrow-then text-fg-3">
              →
            </span>
          )}
          <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 gap-y-0.5">
            <ins className="new" {...figureStyle(figures?.after, short)}>
              <ValueText value={figures?.after ?? change.after} />
            </ins>
            {figures && told && <Difference {...figures} />}
          </div>
        </div>
      </td>
    </tr>
  );
}

/** Large numbers stay on one line, in a smaller font where needed. */
function figureStyle(figure: number | undefined, short: (value: Json) => string) {
  if (figure === undefined) return {};
  const style: CSSProperties & { "--signs": number } = { "--signs": short(figure).length };
  return { "data-figure": "", style };
}

/** The difference of two numbers, absolute and in percent. */
function Difference({ before, after }: { before: number; after: number }) {
  const t = useTranslations("approvals.changes");
  const format = useFormatter();
  const by = after - before;
  if (by === 0) return <span className="text-fg-3">{t("same")}</span>;
  const amount = format.number(by, { signDisplay: "exceptZero", maximumFractionDigits: 6, useGrouping: "min2" });
  const share =
    before === 0
      ? null
      : format.number(by / Math.abs(before), {
          style: "percent",
          signDisplay: "exceptZero",
          maximumFractionDigits: 1,
        });
  return (
    <span className="difference ml-auto text-right font-medium whitespace-nowrap text-chg">
      {amount}
      {share && <span className="pl-2">{share}</span>}
    </span>
  );
}
