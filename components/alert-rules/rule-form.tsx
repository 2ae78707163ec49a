"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { callApi } from "@/components/client/api.ts";
import { FIELD, Labelled } from "@/components/decision/form.tsx";
import { METRIC_TRAITS, METRICS, type RuleFilter, WINDOWS } from "@/lib/alert-rules/rule.ts";
import type { Overview } from "@/lib/api/shapes.ts";
import { type RuleDraft, withMetric } from "./draft.ts";

interface RuleFormProps {
  draft: RuleDraft;
  onChange: (draft: RuleDraft) => void;
  isReadOnly: boolean;
  currency: string | null;
  children: ReactNode;
}

/** What a rule watches, as a sentence of fields. */
export function RuleForm({ draft, onChange, isReadOnly, currency, children }: RuleFormProps) {
  const t = useTranslations("rules");
  const { metric } = draft;
  const { hasWindow, hasCount, filters: narrows } = METRIC_TRAITS[metric];
  const counted = metric === "score" ? "scores" : draft.filters.tool === "" ? "turns" : "calls";
  const change = (changed: Partial<RuleDraft>) => onChange({ ...draft, ...changed });
  const { data: known } = useQuery({
    queryKey: ["overview-names"],
    queryFn: ({ signal }) => callApi<Overview>("/api/overview", { signal }),
    staleTime: 60_000,
  });
  return (
    <fieldset disabled={isReadOnly} className="rule-form">
      <h2>{t("field.when")}</h2>
      <Labelled label={t("field.metric")}>
        <select
          className={FIELD}
          value={metric}
          onChange={({ target }) => {
            const chosen = METRICS.find((one) => one === target.value);
            if (chosen) onChange(withMetric(draft, chosen));
          }}
        >
          {METRICS.map((one) => (
            <option key={one} value={one}>
              {t(`metric.${one}`)}
            </option>
          ))}
        </select>
      </Labelled>
      {metric === "score" && (
        <Labelled label={t("field.score")}>
          <input
            className={FIELD}
            value={draft.score}
            maxLength={100}
            onChange={({ target }) => change({ score: target.value })}
          />
        </Labelled>
      )}
      {(metric === "error_rate" || metric === "error_returned") && (
        <FilterField {...{ draft, change, known }} name="tool" />
      )}
      <div className="rule-pair">
        {metric === "score" && (
          <Labelled label={t("field.operator")}>
            <select
              className={FIELD}
              value={draft.operator}
              onChange={({ target }) => change({ operator: target.value === "above" ? "above" : "below" })}
            >
              {(["below", "above"] as const).map((one) => (
                <option key={one} value={one}>
                  {t(`field.${one}`)}
                </option>
              ))}
            </select>
          </Labelled>
        )}
        <NumberField
          label={`${t("field.threshold")}, ${t(`unit.${metric}`, { currency: currency ?? "" }).trim()}`.replace(
            /, $/u,
            "",
          )}
          value={draft.threshold}
          step="any"
          onChange={(threshold) => change({ threshold })}
        />
        {hasWindow && (
          <Labelled label={t("field.window")}>
            <select
              className={FIELD}
              value={draft.window}
              onChange={({ target }) =>
                change({ window: WINDOWS.find((one) => String(one) === target.value) ?? draft.window })
              }
            >
              {WINDOWS.map((one) => (
                <option key={one} value={one}>
                  {t("hours", { count: one })}
                </option>
              ))}
            </select>
          </Labelled>
        )}
      </div>
      <div className="rule-pair">
        {hasCount && (
          <NumberField
            label={`${t("field.min_count")}, ${t(`unit.${counted}`)}`}
            value={draft.minCount}
            step="1"
            onChange={(minCount) => change({ minCount })}
          />
        )}
        <NumberField
          label={`${t("field.for")}, ${t("unit.minutes")}`}
          value={draft.lasts}
          step="1"
          onChange={(lasts) => change({ lasts })}
        />
        <NumberField
          label={`${t("field.quiet")}, ${t("unit.minutes")}`}
          value={draft.quiet}
          step="1"
          onChange={(quiet) => change({ quiet })}
        />
      </div>
      <h2>{t("field.only")}</h2>
      <div className="rule-pair">
        {narrows
          .filter((name) => name !== "tool")
          .map((name) => (
            <FilterField key={name} {...{ draft, change, known, name }} />
          ))}
      </div>
      <Labelled label={t("field.name")}>
        <input
          className={FIELD}
          value={draft.name}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => change({ name: target.value })}
        />
      </Labelled>
      <label className="flex phone:min-h-11 items-center gap-2">
        <input type="checkbox" checked={draft.enabled} onChange={({ target }) => change({ enabled: target.checked })} />
        {t("field.enabled")}
      </label>
      {children}
      <p className="text-11 text-pretty text-fg-3">{t("sends.text")}</p>
    </fieldset>
  );
}

interface FilterFieldProps {
  draft: RuleDraft;
  change: (changed: Partial<RuleDraft>) => void;
  known: Overview | undefined;
  name: RuleFilter;
}

/** A filter with the values that occurred lately. */
function FilterField({ draft, change, known, name }: FilterFieldProps) {
  const t = useTranslations("rules.field");
  const list = `rule-${name}`;
  return (
    <Labelled label={t(name)}>
      <input
        className={FIELD}
        list={list}
        value={draft.filters[name]}
        placeholder={t("any")}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => change({ filters: { ...draft.filters, [name]: target.value } })}
      />
      <datalist id={list}>
        {[...new Set(known?.where[name].map((share) => share.name))].map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </Labelled>
  );
}

interface NumberFieldProps {
  label: string;
  value: string;
  step: string;
  onChange: (value: string) => void;
}

function NumberField({ label, value, step, onChange }: NumberFieldProps) {
  return (
    <Labelled label={label}>
      <input
        className={FIELD}
        type="number"
        step={step}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Labelled>
  );
}
