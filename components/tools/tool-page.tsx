"use client";

import { useTranslations } from "next-intl";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { listAddress, type Place, searchOf } from "@/components/overview/place.ts";
import { PlaceBar } from "@/components/overview/place-bar.tsx";
import { useWords } from "@/components/overview/use-words.ts";
import { Chip } from "@/components/ui/chip.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { ToolReport } from "@/lib/api/shapes.ts";
import { CallsChart } from "./calls-chart.tsx";
import { Distribution } from "./distribution.tsx";
import { ErrorGroups } from "./error-groups.tsx";
import { stepAddress } from "./step-address.ts";
import type { Choices } from "./tool-list.tsx";

/** All calls of one tool: how many, how long, what fails and how, who calls it. */
export function ToolPage({ report, place, choices }: { report: ToolReport; place: Place; choices: Choices }) {
  const t = useTranslations("overview");
  const words = useWords();
  const { name, count, failed, before, latency, worse, approvals, wait, from, to } = report;
  const all = listAddress(place, { happened: "call", tool: name, since: from, until: to });
  const figures = [
    {
      label: t("tools.calls"),
      value: words.number(count),
      note: t("tools.before", { value: words.number(before.count) }),
    },
    {
      label: t("lane.failed.title"),
      value: words.share(failed, count),
      note: t("tools.failed_note", { count: failed, before: words.share(before.failed, before.count) }),
      isBad: worse,
    },
    ...(["p50", "p95", "p99"] as const).map((part) => ({
      label: part,
      value: words.duration(latency[part]),
      note: t("tools.before", { value: words.duration(before.latency[part]) }),
    })),
    { label: t("lane.wait.title"), value: words.duration(wait), note: t("tools.answered", { count: approvals }) },
  ];
  return (
    <>
      <main id="main" tabIndex={-1} className="overview">
        <PlaceBar
          title={
            <>
              <Link href={`/tools${searchOf(place)}`} className="font-normal text-fg-3 hover:underline">
                {t("tools.title")}
              </Link>
              <span className="font-normal text-fg-3"> / </span>
              <span className="mono">{name}</span>
            </>
          }
          place={place}
          path={`/tools/${encodeURIComponent(name)}`}
          {...choices}
        >
          {worse && <Chip status="failed">{t("tools.worse")}</Chip>}
          <Link href={all} className="act act-first">
            {t("tools.open", { count })}
          </Link>
        </PlaceBar>
        <dl className="tool-figures">
          {figures.map(({ label, value, note, isBad = false }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className={isBad ? "text-st-failed" : ""}>{value}</dd>
              <dd className="tool-note">{note}</dd>
            </div>
          ))}
        </dl>
        <div className="tool-charts">
          <CallsChart report={report} place={place} />
          <Distribution report={report} place={place} />
        </div>
        <div className="tool-body">
          <ErrorGroups report={report} place={place} />
          <aside className="tool-side">
            <Callers report={report} place={place} />
            <Slowest report={report} place={place} />
          </aside>
        </div>
      </main>
      <ShortcutFooter page="overview">
        {report.behind > 0 ? t("behind", { count: report.behind }) : t("tools.counted", { count })}
      </ShortcutFooter>
    </>
  );
}

function Callers({
  report: { name, callers, callers_left_out, from, to },
  place,
}: {
  report: ToolReport;
  place: Place;
}) {
  const t = useTranslations("overview");
  const words = useWords();
  return (
    <section aria-labelledby="callers">
      <table className="tool-callers">
        <thead>
          <tr>
            <th scope="col" id="callers">
              {t("tools.callers")}
            </th>
            <th scope="col">{t("tools.calls")}</th>
            <th scope="col">{t("lane.failed.title")}</th>
          </tr>
        </thead>
        <tbody>
          {callers
            .filter(({ count }) => count > 0)
            .map(({ agent, version, count, failed }) => (
              <tr key={`${agent} ${version}`}>
                <th scope="row">
                  {agent || t("tools.no_agent")} <span className="font-normal text-fg-3">{version}</span>
                </th>
                <td>
                  <Link
                    href={listAddress(place, { happened: "call", tool: name, agent, version, since: from, until: to })}
                  >
                    {words.number(count)}
                  </Link>
                </td>
                <td className={failed / count > 0.05 && failed >= 5 ? "font-semibold text-st-failed" : ""}>
                  {failed === 0 ? (
                    words.share(0, count)
                  ) : (
                    <Link
                      href={listAddress(place, {
                        happened: "failed_call",
                        tool: name,
                        agent,
                        version,
                        since: from,
                        until: to,
                      })}
                    >
                      {words.share(failed, count)}
                    </Link>
                  )}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      {callers_left_out > 0 && (
        <p className="px-3 py-2 text-fg-3">{t("tools.callers_left_out", { count: callers_left_out })}</p>
      )}
    </section>
  );
}

function Slowest({ report: { name, slowest, latency, from, to }, place }: { report: ToolReport; place: Place }) {
  const t = useTranslations("overview");
  const words = useWords();
  const highest = Math.max(1, ...slowest.map(({ took }) => took));
  if (slowest.length === 0) return null;
  return (
    <section aria-labelledby="slowest" className="border-line border-t">
      <div className="tool-head">
        <h2 id="slowest">{t("tools.slowest")}</h2>
        {latency.p99 !== null && (
          <Link
            href={listAddress(place, {
              happened: "call",
              tool: name,
              over: Math.floor(latency.p99),
              since: from,
              until: to,
            })}
            className="ml-auto underline decoration-line-control underline-offset-2"
          >
            {t("tools.all_over", { duration: words.duration(latency.p99) })}
          </Link>
        )}
      </div>
      <ul>
        {slowest.map(({ conversation_id, name: title, seq, took }) => (
          <li key={`${conversation_id} ${seq}`}>
            <Link href={stepAddress(conversation_id, seq)} className="tool-slow">
              <span className="min-w-0 truncate">
                {title ?? conversation_id} <span className="text-fg-3">{t("tools.step", { seq })}</span>
              </span>
              <span aria-hidden className="h-2 bg-sunken">
                <span className="block h-full bg-[var(--k-tool)]" style={{ width: `${(took / highest) * 100}%` }} />
              </span>
              <span className="text-right tabular-nums">{words.duration(took)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
