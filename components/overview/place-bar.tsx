"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useChannelName } from "@/components/list/filters/channel-icon.tsx";
import { FilterMenu } from "@/components/list/filters/filter-menu.tsx";
import { useFacets } from "@/components/list/filters/use-facets.ts";
import { useStageNames } from "@/components/stages/use-stage-names.ts";
import { Button } from "@/components/ui/button.tsx";
import { PERIODS, type Period, type Place, searchOf } from "./place.ts";

interface PlaceBarProps {
  title: ReactNode;
  place: Place;
  /** The path of the page, to which the changed query is added. */
  path: string;
  /** What can be chosen, beside what the list can be filtered by. */
  versions: readonly string[];
  models: readonly string[];
  children?: ReactNode;
}

/** The period and the filters of a page about many conversations. */
export function PlaceBar({ title, place, path, versions, models, children }: PlaceBarProps) {
  const t = useTranslations("overview");
  const router = useRouter();
  const facets = useFacets();
  const channelName = useChannelName();
  const stages = useStageNames();
  const change = (part: Partial<Place>) => router.push(`${path}${searchOf(place, part)}`, { scroll: false });
  const named = (values: readonly string[] = []) => values.map((value) => ({ value, label: value }));
  const { period, agent, version, model, channel, stage } = place;
  const isNarrowed = [agent, version, model, channel, stage].some((value) => value !== "");
  return (
    <div className="place-bar">
      <h1>{title}</h1>
      <FilterMenu<Period>
        name={t("filter.period")}
        any={t("filter.usual_period")}
        value={period}
        options={PERIODS.map((value) => ({ value, label: t(`periods.${value}`) }))}
        onChange={(value) => change({ period: value || "7d" })}
      />
      <FilterMenu
        name={t("where.dimension.agent")}
        any={t("filter.any_agent")}
        value={agent}
        options={named(facets?.agents)}
        others={{ count: facets?.more.agents ?? 0, onType: (value) => change({ agent: value }) }}
        onChange={(value) => change({ agent: value })}
      />
      <FilterMenu
        name={t("where.dimension.version")}
        any={t("filter.any_version")}
        value={version}
        options={named([...new Set(versions)])}
        onChange={(value) => change({ version: value })}
      />
      <FilterMenu
        name={t("where.dimension.model")}
        any={t("filter.any_model")}
        value={model}
        options={named(models)}
        onChange={(value) => change({ model: value })}
      />
      <FilterMenu
        name={t("where.dimension.channel")}
        any={t("filter.any_channel")}
        value={channel}
        options={(facets?.channels ?? []).map((value) => ({ value, label: channelName(value) }))}
        others={{ count: facets?.more.channels ?? 0, onType: (value) => change({ channel: value }) }}
        onChange={(value) => change({ channel: value })}
      />
      {((facets?.stages.length ?? 0) > 0 || stage !== "") && (
        <FilterMenu
          name={t("where.dimension.stage")}
          any={t("filter.any_stage")}
          value={stage}
          options={(facets?.stages ?? []).map((value) => ({ value, label: stages.stage(value) }))}
          others={{ count: facets?.more.stages ?? 0, onType: (value) => change({ stage: value }) }}
          onChange={(value) => change({ stage: value })}
        />
      )}
      {isNarrowed && (
        <Button variant="ghost" onClick={() => change({ agent: "", version: "", model: "", channel: "", stage: "" })}>
          {t("filter.clear")}
        </Button>
      )}
      <span className="flex-1" />
      {children}
    </div>
  );
}
