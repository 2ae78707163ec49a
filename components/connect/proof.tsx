"use client";

import { useTranslations } from "next-intl";
import { useConnection } from "@/components/client/use-connection.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { ArrivalRow } from "./arrival-row.tsx";
import { TestEvent } from "./test-event.tsx";
import { useArrivals } from "./use-arrivals.ts";
import { useWaitingTraces } from "./use-waiting-traces.ts";

/** Whether anything arrives, as it happens (C11). */
export function Proof() {
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
          {connection === "offline" || connection === "reconnecting" ? t("deaf") : t(standing)}
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
