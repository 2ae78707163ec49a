"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { callApi } from "@/components/client/api.ts";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { Overview as Answer } from "@/lib/api/shapes.ts";
import { LaneTable } from "./lane-table.tsx";
import { Lanes } from "./lanes.tsx";
import { NothingCounted } from "./nothing-counted.tsx";
import { type Place, queryOf, searchOf } from "./place.ts";
import { PlaceBar } from "./place-bar.tsx";
import { Scores } from "./scores.tsx";
import { Verdict } from "./verdict.tsx";
import { Where } from "./where.tsx";

/** How often figures are read again while the page is looked at, ms. */
const AGAIN = 60_000;

/** What all conversations add up to: a sentence first, then figures over time, then where. */
export function Overview({ place, initial }: { place: Place; initial: Answer }) {
  const t = useTranslations("overview");
  const { data: overview } = useQuery({
    queryKey: ["overview", { ...place, view: null, by: null }],
    queryFn: ({ signal }) => {
      const { from, to, ...filters } = queryOf(place, Date.now());
      const query = { ...filters, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      return callApi<Answer>("/api/overview", { query, signal });
    },
    initialData: initial,
    refetchInterval: AGAIN,
  });
  const isEmpty = overview.now.turns + overview.now.conversations + overview.earlier.turns === 0;
  return (
    <>
      <main id="main" tabIndex={-1} className="overview">
        <PlaceBar
          title={t("title")}
          place={place}
          path="/overview"
          versions={overview.where.version.map(({ name }) => name)}
          models={overview.where.model.map(({ name }) => name)}
        >
          <nav aria-label={t("view.label")} className="view-switch">
            {(["charts", "table"] as const).map((view) => (
              <Link
                key={view}
                replace
                scroll={false}
                href={`/overview${searchOf(place, { view })}`}
                aria-current={view === place.view || undefined}
              >
                {t(`view.${view}`)}
              </Link>
            ))}
          </nav>
        </PlaceBar>
        {isEmpty ? (
          <NothingCounted icon="clock" />
        ) : (
          <>
            <Verdict overview={overview} place={place} />
            {place.view === "table" ? (
              <LaneTable overview={overview} place={place} />
            ) : (
              <Lanes overview={overview} place={place} />
            )}
            <Scores overview={overview} place={place} />
            <Where overview={overview} place={place} />
          </>
        )}
      </main>
      <ShortcutFooter page="overview">
        {overview.behind > 0 ? t("behind", { count: overview.behind }) : t("counted", { count: overview.now.turns })}
      </ShortcutFooter>
    </>
  );
}
