"use client";

import { useTranslations } from "next-intl";
import { FilterMenu } from "@/components/list/filters/filter-menu.tsx";
import { Button } from "@/components/ui/button.tsx";
import { AUDIT_ACTIONS } from "@/lib/access/audit.ts";
import { type Filters, isFiltered } from "./filters.ts";
import { useActionWords } from "./use-action-words.ts";
import { useEntryWords } from "./use-entry-words.ts";

interface AuditFiltersProps {
  filters: Filters;
  /** The known actors. */
  actors: readonly string[];
  onChange: (part: Partial<Filters>) => void;
  onClear: () => void;
}

/** The filters of the audit log. */
export function AuditFilters({ filters, actors, onChange, onClear }: AuditFiltersProps) {
  const t = useTranslations("audit.filters");
  const { whoIs } = useEntryWords();
  const { wordsOf } = useActionWords();
  return (
    <search className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <FilterMenu
        name={t("action")}
        any={t("any_action")}
        value={filters.action}
        options={AUDIT_ACTIONS.map((value) => ({ value, label: wordsOf(value) }))}
        onChange={(action) => onChange({ action })}
      />
      <FilterMenu
        name={t("actor")}
        any={t("any_actor")}
        value={filters.actor}
        options={actors.map((value) => ({ value, label: whoIs(value) }))}
        onChange={(actor) => onChange({ actor })}
      />
      <DayField label={t("from")} value={filters.from} max={filters.to} onChange={(from) => onChange({ from })} />
      <DayField label={t("to")} value={filters.to} min={filters.from} onChange={(to) => onChange({ to })} />
      {filters.target && (
        <Button
          pressed
          onClick={() => onChange({ target: "" })}
          aria-label={t("any_target", { target: filters.target })}
        >
          <span className="max-w-60 truncate font-mono text-11">{filters.target}</span>
          <span aria-hidden>×</span>
        </Button>
      )}
      {isFiltered(filters) && (
        <Button variant="ghost" onClick={onClear}>
          {t("clear")}
        </Button>
      )}
    </search>
  );
}

interface DayFieldProps {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

function DayField({ label, value, min, max, onChange }: DayFieldProps) {
  return (
    <label className="inline-flex items-center gap-1.5 text-fg-2">
      {label}
      <input
        type="date"
        value={value}
        min={min || undefined}
        max={max || undefined}
        onChange={({ target }) => onChange(target.value)}
        className={`h-7.5 phone:h-11 rounded-2 border bg-surface px-2 tabular-nums ${value ? "border-accent-line text-accent" : "border-line-strong text-fg-2"}`}
      />
    </label>
  );
}
