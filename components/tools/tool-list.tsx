"use client";

import { useTranslations } from "next-intl";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { NothingCounted } from "@/components/overview/nothing-counted.tsx";
import { type Place, searchOf } from "@/components/overview/place.ts";
import { PlaceBar } from "@/components/overview/place-bar.tsx";
import { toolAddress } from "@/components/overview/tool-address.ts";
import { useWords } from "@/components/overview/use-words.ts";
import { Link } from "@/components/ui/link.tsx";
import type { ToolCalls } from "@/lib/api/shapes.ts";
import { Bars } from "./bars.tsx";

/** All tools that agents call, the most used first; one that fails more often than before is red. */
export function ToolList({
  calls: { tools, left_out, behind },
  place,
  choices,
}: {
  calls: ToolCalls;
  place: Place;
  choices: Choices;
}) {
  const t = useTranslations("overview");
  const words = useWords();
  const all = tools.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <main id="main" tabIndex={-1} className="overview">
        <PlaceBar title={t("tools.title")} place={place} path="/tools" {...choices} />
        {tools.length === 0 ? (
          <NothingCounted icon="call" />
        ) : (
          <section className="tool-table" aria-label={t("tools.title")} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t("where.dimension.tool")}</th>
                  <th scope="col">{t("tools.calls")}</th>
                  <th scope="col">{t("before")}</th>
                  <th scope="col">{t("lane.failed.title")}</th>
                  <th scope="col">{t("before")}</th>
                  <th scope="col">p50</th>
                  <th scope="col">p95</th>
                  <th scope="col">p99</th>
                  <th scope="col">{t("lane.wait.title")}</th>
                  <th scope="col" className="tool-bars-head">
                    {t(`periods.${place.period}`)}
                  </th>
                </tr>
              </thead>
              <tbody>
                {tools.map(({ name, count, failed, before, latency, wait, worse, over_time }) => (
                  <tr key={name}>
                    <th scope="row">
                      <Link href={`${toolAddress(name)}${searchOf(place)}`} className="mono">
                        {name}
                      </Link>
                    </th>
                    <td>{words.number(count)}</td>
                    <td className="text-fg-3">{words.number(before.count)}</td>
                    <td className={worse ? "font-semibold text-st-failed" : ""}>{words.share(failed, count)}</td>
                    <td className="text-fg-3">{words.share(before.failed, before.count)}</td>
                    <td>{words.duration(latency.p50)}</td>
                    <td>{words.duration(latency.p95)}</td>
                    <td>{words.duration(latency.p99)}</td>
                    <td>{words.duration(wait)}</td>
                    <td className="tool-bars">
                      <Bars bars={over_time} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {left_out > 0 && <p className="px-3 py-2 text-fg-3">{t("tools.left_out", { count: left_out })}</p>}
          </section>
        )}
      </main>
      <ShortcutFooter page="overview">
        {behind > 0 ? t("behind", { count: behind }) : t("tools.counted", { count: all })}
      </ShortcutFooter>
    </>
  );
}

/** What the filters can be set to. */
export interface Choices {
  versions: readonly string[];
  models: readonly string[];
}
