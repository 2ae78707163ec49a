"use client";

import { useFormatter } from "next-intl";
import { ShortValue } from "@/components/format/short-value.tsx";
import { useNow } from "@/components/list/now.tsx";
import type { Json } from "@/lib/session/json/json.ts";

/** A timestamp in JSON. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

const YEAR = { year: "numeric" } as const;

const CLOCK = { hour: "2-digit", minute: "2-digit", hour12: false } as const;

/** A value formatted for people: local time, grouped digits, plain text. */
export function ValueText({ value }: { value: Json | undefined }) {
  const format = useFormatter();
  const now = useNow();
  if (value === undefined || value === null || value === "") return <span className="text-fg-3">–</span>;
  if (typeof value !== "string" || !INSTANT.test(value)) return <ShortValue value={value} />;
  const time = new Date(value);
  const year = format.dateTime(time, YEAR) === format.dateTime(now, YEAR) ? {} : YEAR;
  return (
    <time dateTime={value} title={value}>
      {format.dateTime(time, { day: "numeric", month: "short", ...year, ...CLOCK })}
    </time>
  );
}
