"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import type { Conversation } from "@/lib/api/shapes.ts";
import { printSort, SORTS } from "@/lib/rollup/totals.ts";
import type { Display, ListState } from "../filters/filters.ts";
import { COLUMNS, printColumns, shownColumns, sortOf } from "./columns.ts";

interface DisplayPanelProps {
  state: ListState;
  rows: readonly Conversation[];
  onChange: (part: Partial<Display>) => void;
}

/** The order and the columns of the list; each change is shown at once. */
export function DisplayPanel({ state: { queue, ...given }, rows, onChange }: DisplayPanelProps) {
  const t = useTranslations("list.display");
  const columns = useTranslations("list.columns");
  // The address follows a moment later.
  const [state, setState] = useState<Display>(given);
  const set = (part: Partial<Display>) => {
    setState((known) => ({ ...known, ...part }));
    onChange(part);
  };
  const shown = shownColumns({ ...state, queue }, rows);
  const byScore = sortOf("score", rows);
  const score = byScore ? printSort(byScore) : state.sort.startsWith("score:") ? state.sort : null;
  const isChanged = state.sort !== "" || state.order !== "" || state.columns !== "";
  return (
    <div className="grid gap-3 p-2">
      <label className="grid gap-1 text-fg-2">
        {t("sort")}
        <select
          value={state.sort || "updated"}
          onChange={({ target }) => set({ sort: target.value === "updated" ? "" : target.value })}
          className="h-[var(--control)] phone:h-11 rounded-2 border border-line-control bg-surface px-2 text-fg"
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {sort === "updated" ? t("sorts.updated") : columns(sort)}
            </option>
          ))}
          {score !== null && <option value={score}>{t("sorts.score", { name: score.slice("score:".length) })}</option>}
        </select>
      </label>
      <Segmented
        label={t("order")}
        value={state.order || "desc"}
        options={[
          { value: "desc", label: t("desc") },
          { value: "asc", label: t("asc") },
        ]}
        onChange={(order) => set({ order: order === "asc" ? "asc" : "" })}
        className="phone:h-11 justify-self-start"
      />
      <fieldset aria-label={t("columns")} className="grid grid-cols-2 gap-x-2">
        <span aria-hidden className="col-span-2 mb-1 text-fg-2">
          {t("columns")}
        </span>
        {COLUMNS.map((column) => (
          <label
            key={column}
            className="flex min-h-6.5 phone:min-h-11 items-center gap-2 rounded-1 px-1 hover:bg-hover"
          >
            <input
              type="checkbox"
              checked={shown.includes(column)}
              onChange={({ target }) =>
                set({
                  columns: printColumns(
                    target.checked ? [...shown, column] : shown.filter((another) => another !== column),
                  ),
                })
              }
              className="accent-accent"
            />
            <span className="truncate">{columns(column)}</span>
          </label>
        ))}
      </fieldset>
      {isChanged && (
        <Button
          variant="ghost"
          className="phone:h-11 justify-self-end"
          onClick={() => set({ sort: "", order: "", columns: "" })}
        >
          {t("reset")}
        </Button>
      )}
    </div>
  );
}
