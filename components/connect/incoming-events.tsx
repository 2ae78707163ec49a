"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { subscribeLive } from "@/components/client/live.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import { useConnection } from "@/components/client/use-connection.ts";
import { useEventName } from "@/components/timeline/use-event-name.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { type Arrival, gather, withNewest } from "./arrivals.ts";
import { fetchNewest, NEWEST_KEY } from "./newest-arrival.ts";
import { TestEvent } from "./test-event.tsx";
import { useWaitingTraces } from "./use-waiting-traces.ts";

/** A live list of incoming events (C11). */
export function IncomingEvents() {
  const t = useTranslations("connect.arrivals");
  const arrivals = useArrivals();
  const connection = useConnection();
  const waiting = useWaitingTraces();
  const came = waiting > 0 || arrivals.some(({ steps }) => steps > 0);
  const standing = came ? "arrives" : arrivals.length > 0 ? "quiet" : "nothing";
  return (
    <section aria-labelledby="arrivals" className="overflow-hidden rounded-3 border border-line-strong bg-surface">
      <div className="grid gap-1 border-line border-b bg-sunken px-3 py-2.5">
        <h2 id="arrivals" className="font-semibold text-13">
          {t("title")}
        </h2>
        <p
          role="status"
          data-standing={standing}
          className={`flex items-start gap-1.5 text-12 leading-4 ${came ? "text-st-succeeded" : "text-fg-2"}`}
        >
          {came ? (
            <StatusIcon status="succeeded" size={14} />
          ) : (
            <Icon name="clock" size={14} className="mt-px flex-none" />
          )}
          {connection === "offline" || connection === "reconnecting" ? t("offline") : t(standing)}
        </p>
      </div>
      {waiting > 0 && (
        <div className="grid gap-0.5 border-line border-b px-3 py-2">
          <p role="status" className="flex items-center gap-1.5 font-medium text-13">
            <StatusIcon status="waiting" size={14} />
            {t("waiting", { count: waiting })}
          </p>
          <p className="text-11 text-fg-3 leading-4">{t("waitingText")}</p>
        </div>
      )}
      <ul aria-label={t("list")} className="empty:hidden">
        {arrivals.map((arrival) => (
          <ArrivalRow key={arrival.conversation_id} arrival={arrival} />
        ))}
      </ul>
      <TestEvent arrivals={arrivals} />
    </section>
  );
}

const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false } as const;

/** A row: the new events of a conversation, with a link. */
function ArrivalRow({ arrival: { conversation_id, type, seq, at, steps } }: { arrival: Arrival }) {
  const t = useTranslations("connect.arrivals");
  const format = useFormatter();
  const nameOf = useEventName();
  return (
    <li className="grid gap-0.5 border-line border-t px-3 py-2 first:border-t-0">
      <span className="flex min-w-0 items-baseline justify-between gap-2">
        <span className="font-medium text-13">{nameOf(type)}</span>
        <time dateTime={at} className="flex-none font-mono text-11 text-fg-3">
          {format.dateTime(new Date(at), CLOCK)}
        </time>
      </span>
      {conversation_id === null ? (
        <Link href="/agents" className="text-12 phone:leading-11 text-accent underline underline-offset-2">
          {t("agentState")}
        </Link>
      ) : (
        <Link
          href={`/conversations/${encodeURIComponent(conversation_id)}?at=${seq}`}
          className="min-w-0 truncate font-mono text-11 phone:leading-11 text-accent underline underline-offset-2"
        >
          {conversation_id}
        </Link>
      )}
      <span className="text-11 text-fg-3">{steps === 0 ? t("before") : t("steps", { steps, seq })}</span>
    </li>
  );
}

/** Events since the page was opened, and the newest earlier one. */
function useArrivals(): Arrival[] {
  const queries = useQueryClient();
  const [arrivals, setArrivals] = useState<readonly Arrival[]>([]);
  const { data: newest = null } = useQuery({ queryKey: NEWEST_KEY, queryFn: ({ signal }) => fetchNewest(signal) });
  // The outside system is the stream.
  useEffect(
    () =>
      subscribeLive(
        {},
        {
          onEvents: (events) => setArrivals((before) => gather(before, events)),
          // Events during a lost connection are not listed.
          onConnection: (connection) => connection === "live" && void refetchAfterChange(queries, NEWEST_KEY),
        },
      ),
    [queries],
  );
  return withNewest(arrivals, newest);
}
