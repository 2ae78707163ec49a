"use client";

import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useEventName } from "@/components/timeline/use-event-name.ts";
import type { Arrival } from "./arrivals.ts";

const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false } as const;

/** What came of one conversation, with the way to it. */
export function ArrivalRow({ arrival: { conversation_id, type, seq, at, steps } }: { arrival: Arrival }) {
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
