"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { Failed } from "@/components/admin/failed.tsx";
import { TABLE, TABLE_CELL, TABLE_HEAD } from "@/components/admin/table.ts";
import { callApi } from "@/components/client/api.ts";
import { useChannelName } from "@/components/list/filters/channel-icon.tsx";
import { AgoTime } from "@/components/list/now.tsx";
import { Moment } from "@/components/memory/moment.tsx";
import type { RetentionState } from "@/lib/privacy/retention.ts";
import { RETENTION_KEY } from "./data-keys.ts";

/** The retention policy, what was removed, and what is next. */
export function Retention() {
  const t = useTranslations("data.retention");
  const heading = useId();
  const retention = useRetention();
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="mb-2 font-semibold text-13">
        {t("title")}
      </h2>
      <Failed error={retention.error} onRetry={() => void retention.refetch()} />
      {retention.data && <State of={retention.data} />}
    </section>
  );
}

function State({ of: { rules, ran_at, removed, due, next } }: { of: RetentionState }) {
  const t = useTranslations("data.retention");
  const channelName = useChannelName();
  if (rules.length === 0)
    return (
      <p className="max-w-160 text-pretty text-13 text-fg-2 leading-5">
        {t.rich("none", {
          code: (words) => <code className="rounded-1 bg-sunken px-1 font-mono text-11">{words}</code>,
        })}
      </p>
    );
  return (
    <>
      <ul className="mb-3 flex flex-wrap gap-2 text-12">
        {rules.map(({ channel, days }) => (
          <li key={channel} className="rounded-2 border border-line-strong px-2.5 py-1.25 tabular-nums">
            <span className="text-fg-2">{channel === null ? t("others") : channelName(channel)}</span>{" "}
            <span className="font-medium">{t("days", { count: days })}</span>
          </li>
        ))}
      </ul>
      <p className="text-12 text-fg-2 leading-5 tabular-nums">
        {ran_at === null ? t("not_yet") : t.rich("ran", { at: () => <AgoTime at={ran_at} />, ...removed })}{" "}
        {t("due", { count: due })}
      </p>
      {next.length > 0 && (
        <div className="mt-3 overflow-x-auto">
          <table className={TABLE}>
            <caption className="sr-only">{t("next")}</caption>
            <thead>
              <tr>
                <th className={TABLE_HEAD}>{t("next")}</th>
                <th className={TABLE_HEAD}>{t("channel")}</th>
                <th className={TABLE_HEAD}>{t("last")}</th>
                <th className={`${TABLE_HEAD} pr-0!`}>{t("removed_at")}</th>
              </tr>
            </thead>
            <tbody>
              {next.map(({ id, title, channel, updated_at, removed_at }) => (
                <tr key={id} className="hover:bg-hover">
                  <th scope="row" className={`${TABLE_CELL} min-w-40 font-normal wrap-anywhere`}>
                    <a href={`/conversations/${encodeURIComponent(id)}`} className="text-fg hover:underline">
                      {title ?? id}
                    </a>
                  </th>
                  <td className={TABLE_CELL}>{channel === null ? "" : channelName(channel)}</td>
                  <td className={`${TABLE_CELL} whitespace-nowrap tabular-nums`}>
                    <Moment at={updated_at} />
                  </td>
                  <td className={`${TABLE_CELL} pr-0! whitespace-nowrap tabular-nums`}>
                    <Moment at={removed_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

/** The retention policy and what it removes next. */
function useRetention() {
  return useQuery({
    queryKey: RETENTION_KEY,
    queryFn: ({ signal }) => callApi<RetentionState>("/api/retention", { signal }),
  });
}
