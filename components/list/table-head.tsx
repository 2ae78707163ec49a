import { useTranslations } from "next-intl";
import type { Conversation } from "@/lib/api/shapes.ts";
import { printSort } from "@/lib/rollup/totals.ts";
import { type Column, columnClass, sortOf, toggledSort } from "./columns/columns.ts";
import type { Display, ListState } from "./filters/filters.ts";

interface TableHeadProps {
  columns: readonly Column[];
  /** The columns were chosen. */
  isChosen: boolean;
  rows: readonly Conversation[];
  state: ListState;
  onChange: (part: Partial<Display>) => void;
}

/** The sticky table head; by most of its columns the list can be sorted. */
export function TableHead({ columns, isChosen, rows, state, onChange }: TableHeadProps) {
  const t = useTranslations("list.columns");
  const head = (column: Column | "active", className: string) => {
    const sort = sortOf(column, rows);
    if (!sort)
      return (
        <th key={column} scope="col" className={className}>
          {t(column)}
        </th>
      );
    const isSorted = printSort(sort) === (state.sort || "updated");
    const isAscending = state.order === "asc";
    return (
      <th
        key={column}
        scope="col"
        aria-sort={isSorted ? (isAscending ? "ascending" : "descending") : undefined}
        className={className}
      >
        {/* On a phone the head is only read; the menu of the columns has the order. */}
        <span className="hidden phone:inline">{t(column)}</span>
        <button
          type="button"
          onClick={() => onChange(toggledSort(sort, state))}
          className={`phone:hidden max-w-full truncate rounded-1 hover:text-fg hover:underline ${isSorted ? "text-fg" : ""}`}
        >
          {t(column)}
          {isSorted && <span aria-hidden> {isAscending ? "↑" : "↓"}</span>}
        </button>
      </th>
    );
  };
  return (
    <thead className="sticky top-0 z-2 block phone:sr-only">
      <tr className="list-grid h-6.5 border-line border-b bg-canvas text-left text-11 text-fg-3 [&>th]:truncate [&>th]:font-normal">
        <th scope="col">
          <span className="sr-only">{t("mark")}</span>
        </th>
        <th scope="col">
          <span className="narrow:sr-only">{t("status")}</span>
        </th>
        <th scope="col">
          <span className="sr-only">{t("channel")}</span>
        </th>
        <th scope="col">{t("conversation")}</th>
        {columns.map((column) => head(column, columnClass(column, isChosen)))}
        {head("active", "text-right")}
      </tr>
    </thead>
  );
}
