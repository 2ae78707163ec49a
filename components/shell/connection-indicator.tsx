"use client";

import { useTranslations } from "next-intl";
import type { Connection } from "@/components/client/live.ts";
import { useConnection } from "@/components/client/use-connection.ts";

/** A dot by state, distinguishable without color: filled while live, a ring otherwise. */
const DOT = {
  connecting: "border-[1.5px] border-st-planned",
  live: "bg-st-succeeded ring-3 ring-st-succeeded-bg",
  reconnecting: "animate-pulse-soft border-[1.5px] border-st-waiting ring-3 ring-st-waiting-bg",
  offline: "border-[1.5px] border-st-failed ring-3 ring-st-failed-bg",
  signed_out: "border-[1.5px] border-st-failed ring-3 ring-st-failed-bg",
} as const satisfies Record<Connection, string>;

const INK = {
  connecting: "text-fg-2",
  live: "text-fg-2",
  reconnecting: "text-st-waiting",
  offline: "text-st-failed",
  signed_out: "text-st-failed",
} as const satisfies Record<Connection, string>;

/** The state of the connection; changes are announced. */
export function ConnectionIndicator() {
  const t = useTranslations("common.connection");
  const connection = useConnection();
  return (
    <span
      role="status"
      data-connection={connection}
      title={t(`explain.${connection}`)}
      className={`inline-flex items-center gap-2 px-1 whitespace-nowrap ${INK[connection]}`}
    >
      <span className={`size-1.75 rounded-full ${DOT[connection]}`} />
      {connection === "connecting" ? (
        // In the room of what follows in a moment, so that nothing beside it moves.
        <>
          <span className="sr-only">{t("connecting")}</span>
          <span aria-hidden className="invisible phone:hidden">
            {t("live")}
          </span>
        </>
      ) : (
        <span className="phone:sr-only">{t(connection)}</span>
      )}
    </span>
  );
}
