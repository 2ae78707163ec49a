"use client";

import { useTranslations } from "next-intl";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { useStageNames } from "@/components/stages/use-stage-names.ts";
import { Button } from "@/components/ui/button.tsx";
import { SearchField } from "@/components/ui/search-field.tsx";
import type { Facets, Queue } from "@/lib/api/shapes.ts";
import { parseScoreFilter, RATING, THUMBS } from "@/lib/scores/score.ts";
import { useChannelName } from "./channel-icon.tsx";
import { FilterButton, MORE_FILTERS } from "./filter-button.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { isFiltered, type ListState, PERIODS } from "./filters.ts";

/** The debounce, ms: longer than between keystrokes; it leaves 110 ms for the server to answer within 200 ms. */
const REST = 90;
const FIRST_FILTER = "filter-channel";

/** What people filter by most; other conditions are typed. */
const SCORE_LABELS = {
  [`${RATING}<3`]: "low",
  [`${RATING}>=4`]: "high",
  [`${THUMBS}=false`]: "down",
  [`${THUMBS}=true`]: "up",
} as const;
const SCORES = [`${RATING}<3`, `${RATING}>=4`, `${THUMBS}=false`, `${THUMBS}=true`] as const;

interface FilterBarProps {
  filters: ListState;
  facets: Facets | undefined;
  /** Undefined outside of the queue. */
  queue: Queue | undefined;
  onChange: (part: Partial<ListState>) => void;
  onClear: () => void;
}

/** Search and filters; `F` focuses the first filter. */
export function FilterBar({ filters, facets, queue, onChange, onClear }: FilterBarProps) {
  const t = useTranslations("list");
  const channelName = useChannelName();
  const names = useStageNames();
  const named = (values: readonly string[] = []) => values.map((value) => ({ value, label: value }));

  useShortcuts({
    filter: () => {
      const filter = document.getElementById(FIRST_FILTER);
      filter?.focus();
      filter?.click();
    },
  });

  return (
    <search className="phone:contents flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <SearchField
        label={t("search.label")}
        clear={t("search.clear")}
        value={filters.q}
        onChange={(q) => onChange({ q })}
        delay={REST}
        className="h-7.5 phone:h-11 w-93 min-w-50 phone:w-auto phone:min-w-0 phone:flex-1 gap-1.75 pr-1.5 pl-2"
      />
      <div className="contents phone:order-last phone:flex phone:w-full phone:gap-2 phone:fade-x overflow-x-auto">
        <FilterMenu
          id={FIRST_FILTER}
          shortcut="F"
          name={t("filters.channel")}
          any={t("filters.any_channel")}
          value={filters.channel}
          options={(facets?.channels ?? []).map((value) => ({ value, label: channelName(value) }))}
          others={{ count: facets?.more.channels ?? 0, onType: (channel) => onChange({ channel }) }}
          onChange={(channel) => onChange({ channel })}
        />
        <FilterMenu
          name={t("filters.stage")}
          any={t("filters.any_stage")}
          value={filters.stage}
          options={(facets?.stages ?? []).map((value) => ({ value, label: names.stage(value) }))}
          others={{ count: facets?.more.stages ?? 0, onType: (stage) => onChange({ stage }) }}
          onChange={(stage) => onChange({ stage })}
        />
        <FilterMenu
          name={t("filters.agent")}
          any={t("filters.any_agent")}
          value={filters.agent}
          options={named(facets?.agents)}
          others={{ count: facets?.more.agents ?? 0, onType: (agent) => onChange({ agent }) }}
          onChange={(agent) => onChange({ agent })}
        />
        <FilterMenu
          name={t("filters.period")}
          any={t("filters.any_period")}
          value={filters.period}
          options={PERIODS.map((value) => ({ value, label: t(`periods.${value}`) }))}
          extra={{ label: t("filters.custom_period"), onSelect: () => document.getElementById(MORE_FILTERS)?.click() }}
          onChange={(period) => onChange({ period, from: "", to: "" })}
        />
        {(filters.queue || filters.assignee) && (
          <FilterMenu
            name={t("filters.assignee")}
            any={t("filters.any_assignee")}
            value={filters.assignee}
            options={named(queue?.people)}
            onChange={(assignee) => onChange({ assignee })}
          />
        )}
        {(filters.queue || filters.tag) && (
          <FilterMenu
            name={t("filters.tag")}
            any={t("filters.any_tag")}
            value={filters.tag}
            options={named(queue?.tags)}
            onChange={(tag) => onChange({ tag })}
          />
        )}
        <FilterMenu
          name={t("filters.score")}
          any={t("filters.any_score")}
          value={filters.score}
          options={SCORES.map((value) => ({ value, label: t(`scores.${SCORE_LABELS[value]}`) }))}
          others={{
            count: 1,
            label: t("filters.type_score"),
            onType: (score) => (score === "" || parseScoreFilter(score)) && onChange({ score }),
          }}
          onChange={(score) => onChange({ score })}
        />
        <FilterButton filters={filters} onChange={onChange} />
        <FilterChips filters={filters} onChange={onChange} />
        {isFiltered(filters) && (
          <Button variant="ghost" onClick={onClear}>
            {t("filters.clear")}
          </Button>
        )}
      </div>
    </search>
  );
}
