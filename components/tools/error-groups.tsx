"use client";

import { useTranslations } from "next-intl";
import { listAddress, type Place } from "@/components/overview/place.ts";
import { useWords } from "@/components/overview/use-words.ts";
import { Link } from "@/components/ui/link.tsx";
import type { ToolReport } from "@/lib/api/shapes.ts";
import { Bars } from "./bars.tsx";
import { stepAddress } from "./step-address.ts";

/** Failures of the tool by kind, the most calls first; an open one has examples. */
export function ErrorGroups({ report, place }: { report: ToolReport; place: Place }) {
  const t = useTranslations("overview");
  const words = useWords();
  const { errors, errors_cut, callers } = report;
  const versions = new Set(callers.filter(({ count }) => count > 0).map(({ version }) => version));
  return (
    <section aria-labelledby="errors" className="min-w-0">
      <div className="tool-head">
        <h2 id="errors">{t("tools.errors")}</h2>
        <span className="text-fg-3">
          {t("tools.groups", { count: errors.length })}
          {errors_cut && ` · ${t("tools.cut")}`}
        </span>
      </div>
      {errors.length === 0 && <p className="p-3 text-fg-3">{t("tools.no_errors")}</p>}
      <ul>
        {errors.map((error, index) => (
          <li key={error.fingerprint}>
            <details className="error-group" open={index === 0}>
              <summary>
                <span className="min-w-0">
                  <code className="block truncate font-mono font-semibold" title={error.code ?? undefined}>
                    {error.code ?? t("tools.no_code")}
                  </code>
                  <span className="block truncate text-fg-2" title={error.message}>
                    {error.message}
                  </span>
                </span>
                <span className="error-number">
                  <b>{words.number(error.calls)}</b>
                  <small>{t("tools.calls_of", { count: error.calls })}</small>
                </span>
                <span className="error-number">
                  {words.number(error.conversations)}
                  <small>{t("tools.conversations_of", { count: error.conversations })}</small>
                </span>
                <span className="error-bars">
                  <Bars bars={error.over_time.map((count) => ({ count, failed: 0 }))} isFailed />
                </span>
                <span className="error-times">
                  <span>{words.time(error.first)}</span>
                  <span className="text-fg-3">{words.time(error.last)}</span>
                </span>
                <span className="error-versions">
                  {error.versions.length === 1 && versions.size > 1 ? (
                    <span className="error-tag" data-only>
                      {t("tools.only", { version: error.versions[0] ?? "" })}
                    </span>
                  ) : (
                    error.versions.length > 0 && (
                      <span className="error-tag">
                        {error.versions.length === 1
                          ? error.versions[0]
                          : t("tools.versions", { count: error.versions.length })}
                      </span>
                    )
                  )}
                </span>
              </summary>
              <ul className="pb-1">
                {error.examples.map(({ conversation_id, name, seq, at }) => (
                  <li key={`${conversation_id} ${seq}`}>
                    <Link href={stepAddress(conversation_id, seq)} className="error-example">
                      <span className="min-w-0 truncate" title={name ?? conversation_id}>
                        {name ?? conversation_id} <span className="text-fg-3">{t("tools.step", { seq })}</span>
                      </span>
                      <span className="text-fg-3 tabular-nums">{words.time(at)}</span>
                    </Link>
                  </li>
                ))}
                <li>
                  <Link
                    href={listAddress(place, {
                      ...{ happened: "failed_call", tool: report.name, error: error.fingerprint },
                      ...{ since: new Date(report.from).toISOString(), until: new Date(report.to).toISOString() },
                    })}
                    className="error-example text-accent"
                  >
                    {t("tools.all_of_error", { count: error.conversations })}
                  </Link>
                </li>
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
