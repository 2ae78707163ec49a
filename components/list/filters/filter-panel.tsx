"use client";

import { useTranslations } from "next-intl";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { useQueue } from "@/components/queue/use-queue.ts";
import { Button } from "@/components/ui/button.tsx";
import { HAPPENINGS } from "@/lib/rollup/happenings.ts";
import { MEASURES, type Measure, parseRange, printRange } from "@/lib/rollup/totals.ts";
import type { Filters } from "./filters.ts";

const FIELD =
  "h-[var(--control)] phone:h-11 w-full min-w-0 rounded-2 border border-line-control bg-surface px-2 text-fg outline-none focus:border-accent";

const LONGEST = 200;

/** What a number in a field is of what the address says: durations are typed in seconds. */
const UNITS: Record<Measure, number> = { duration: 1_000, cost: 1, tokens: 1, failures: 1 };

const MOST = 1_000_000_000;
/** A cost has six decimals at most. */
const DECIMALS = 1_000_000;

type Draft = Pick<
  Filters,
  "happened" | "tool" | "error" | "version" | "model" | "assignee" | "tag" | "from" | "to" | Measure
>;

interface FilterPanelProps {
  filters: Filters;
  onChange: (part: Partial<Filters>) => void;
}

/** All further filters of the list as a form, applied together. */
export function FilterPanel({ filters, onChange }: FilterPanelProps) {
  const t = useTranslations("list.more");
  const happened = useTranslations("list.happened");
  const columns = useTranslations("list.columns");
  const queue = useQueue();
  const tags = useId();
  const [draft, setDraft] = useState<Draft>(filters);
  const set = (part: Partial<Draft>) => setDraft((known) => ({ ...known, ...part }));
  const apply = () => {
    const { from, to } = draft;
    const isReversed = from !== "" && to !== "" && from > to;
    onChange({
      ...draft,
      ...(isReversed && { from: to, to: from }),
      ...((from !== "" || to !== "") && { period: "" }),
      ...(draft.tool !== filters.tool && { error: "" }),
    });
  };
  const text = (name: "tool" | "version" | "model", label: string) => (
    <Field label={label}>
      <input
        value={draft[name]}
        maxLength={LONGEST}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => set({ [name]: target.value.trim() })}
        className={FIELD}
      />
    </Field>
  );
  return (
    <form
      className="grid gap-2.5 p-2"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div className="grid grid-cols-2 gap-2">
        <Field label={t("happened")}>
          <select
            value={draft.happened}
            onChange={({ target }) => set({ happened: HAPPENINGS.find((one) => one === target.value) ?? "" })}
            className={FIELD}
          >
            <option value="">{t("anything")}</option>
            {HAPPENINGS.map((one) => (
              <option key={one} value={one}>
                {happened(one)}
              </option>
            ))}
          </select>
        </Field>
        {text("tool", t("tool"))}
        {text("version", t("version"))}
        {text("model", t("model"))}
        <Field label={columns("owner")}>
          <select value={draft.assignee} onChange={({ target }) => set({ assignee: target.value })} className={FIELD}>
            <option value="">{t("anybody")}</option>
            {queue && <option value={queue.me}>{t("me", { name: queue.me })}</option>}
            {[...new Set([...(queue?.people ?? []), ...(draft.assignee === "" ? [] : [draft.assignee])])]
              .filter((name) => name !== queue?.me)
              .map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
          </select>
        </Field>
        <Field label={columns("tags")}>
          <input
            value={draft.tag}
            maxLength={LONGEST}
            autoComplete="off"
            list={tags}
            onChange={({ target }) => set({ tag: target.value.trim() })}
            className={FIELD}
          />
          <datalist id={tags}>
            {queue?.tags.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
        </Field>
      </div>
      <Between label={t("dates")}>
        <DayInput label={t("from")} value={draft.from} max={draft.to} onChange={(from) => set({ from })} />
        <DayInput label={t("to")} value={draft.to} min={draft.from} onChange={(to) => set({ to })} />
      </Between>
      {MEASURES.map((measure) => (
        <RangeFields
          key={measure}
          label={t(`measures.${measure}`)}
          unit={UNITS[measure]}
          value={draft[measure]}
          onChange={(range) => set({ [measure]: range })}
        />
      ))}
      <div className="flex justify-end">
        <Button type="submit" variant="primary" className="phone:h-11">
          {t("apply")}
        </Button>
      </div>
    </form>
  );
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className="grid min-w-0 gap-1 text-fg-2">
      {label}
      {children}
    </label>
  );
}

/** Two fields for the two ends of a range. */
function Between({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset aria-label={label} className="grid grid-cols-[7rem_1fr_1fr] items-center gap-2">
      <span aria-hidden className="text-fg-2">
        {label}
      </span>
      {children}
    </fieldset>
  );
}

type DayInputProps = Pick<ComponentProps<"input">, "min" | "max"> & {
  label: string;
  value: string;
  onChange: (day: string) => void;
};

function DayInput({ label, value, min, max, onChange }: DayInputProps) {
  return (
    <input
      type="date"
      aria-label={label}
      value={value}
      min={min || undefined}
      max={max || undefined}
      onChange={({ target }) => onChange(target.value)}
      className={`${FIELD} tabular-nums`}
    />
  );
}

interface RangeFieldsProps {
  label: string;
  unit: number;
  /** As in the address. */
  value: string;
  onChange: (range: string) => void;
}

function RangeFields({ label, unit, value, onChange }: RangeFieldsProps) {
  const t = useTranslations("list.more");
  const [ends, setEnds] = useState(() => typedEnds(value, unit));
  const set = (part: Partial<typeof ends>) => {
    const typed = { ...ends, ...part };
    setEnds(typed);
    onChange(rangeOf(typed, unit));
  };
  return (
    <Between label={label}>
      {(["least", "most"] as const).map((end) => (
        <input
          key={end}
          type="number"
          min={0}
          max={MOST}
          step="any"
          inputMode="decimal"
          aria-label={t(`${end}_of`, { what: label })}
          placeholder={t(end)}
          value={ends[end]}
          onChange={({ target }) => set({ [end]: target.value })}
          className={`${FIELD} tabular-nums`}
        />
      ))}
    </Between>
  );
}

function typedEnds(value: string, unit: number) {
  const { least, most } = parseRange(value) ?? {};
  const typed = (number: number | undefined) => (number === undefined ? "" : String(number / unit));
  return { least: typed(least), most: typed(most) };
}

/** The range as in the address; the smaller end is its beginning. */
function rangeOf(typed: { least: string; most: string }, unit: number): string {
  const number = (text: string) => {
    const value = Math.round(Number(text) * unit * DECIMALS) / DECIMALS;
    return text === "" || !(value >= 0 && value <= MOST * unit) ? undefined : value;
  };
  const [least, most] = [number(typed.least), number(typed.most)];
  if (least === undefined && most === undefined) return "";
  if (least !== undefined && most !== undefined)
    return printRange({ least: Math.min(least, most), most: Math.max(least, most) });
  return printRange({ ...(least !== undefined && { least }), ...(most !== undefined && { most }) });
}
