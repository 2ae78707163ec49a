import { withParams } from "@/components/client/address.ts";
import type { OverviewQuery } from "@/lib/rollup/overview.ts";

/** How far back a page about many conversations looks. */
export const PERIODS = ["24h", "7d", "30d", "90d", "365d"] as const;
export type Period = (typeof PERIODS)[number];

const HOUR_MS = 3_600_000;
const DAYS: Record<Period, number> = { "24h": 1, "7d": 7, "30d": 30, "90d": 90, "365d": 365 };

/** By what "where" compares. */
export const MEASURES = ["failed", "escalated", "slow"] as const;
export type Measure = (typeof MEASURES)[number];

/** What is shown, as in the address; empty for no filter. */
export interface Place {
  period: Period;
  agent: string;
  version: string;
  model: string;
  channel: string;
  stage: string;
  view: "charts" | "table";
  by: Measure;
}

const USUAL: Pick<Place, "period" | "view" | "by"> = { period: "7d", view: "charts", by: "failed" };

/** Reads what is shown from search parameters; invalid ones are ignored. */
export function parsePlace(params: URLSearchParams): Place {
  return {
    period: PERIODS.find((period) => period === params.get("period")) ?? USUAL.period,
    agent: params.get("agent") ?? "",
    version: params.get("version") ?? "",
    model: params.get("model") ?? "",
    channel: params.get("channel") ?? "",
    stage: params.get("stage") ?? "",
    view: params.get("view") === "table" ? "table" : "charts",
    by: MEASURES.find((measure) => measure === params.get("by")) ?? USUAL.by,
  };
}

/** The query string of a changed place, with its question mark; empty for the usual one. */
export function searchOf(place: Place, change: Partial<Place> = {}): string {
  const next = { ...place, ...change };
  const unusual = Object.entries(next).filter(
    ([name, value]) => !(name in USUAL && value === Reflect.get(USUAL, name)),
  );
  return withParams(new URLSearchParams(), Object.fromEntries(unusual));
}

/** The query of the rollup at `now`, epoch ms; periods end with the current hour. */
export function queryOf({ period, agent, version, model, channel, stage }: Place, now: number): OverviewQuery {
  const to = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return {
    ...{ from: to - DAYS[period] * 24 * HOUR_MS, to },
    ...(agent !== "" && { agent }),
    ...(version !== "" && { version }),
    ...(model !== "" && { model }),
    ...(channel !== "" && { channel }),
    ...(stage !== "" && { stage }),
  };
}

/** What the list of conversations is filtered by. */
export interface Happened {
  happened: "began" | "turn" | "failed_turn" | "escalated" | "approval" | "call" | "failed_call" | "cost" | "scored";
  since?: string | undefined;
  until?: string | undefined;
  agent?: string | null;
  version?: string | null;
  model?: string | null;
  channel?: string | null;
  stage?: string | null;
  tool?: string | null;
  /** The fingerprint of an error of the tool. */
  error?: string;
  /** A turn or a call took longer, ms. */
  over?: number;
  /** The filter by scores: `rating`, `thumbs=false`. */
  score?: string;
}

/** The address of the list with exactly the conversations in which something happened, within what a page shows. */
export function listAddress(
  place: Pick<Place, "agent" | "version" | "model" | "channel" | "stage">,
  what: Happened,
): string {
  const { agent, version, model, channel, stage } = place;
  const named = Object.entries({ agent, version, model, channel, stage, ...what }).map(([name, value]) => [
    name,
    value === null || value === undefined ? "" : String(value),
  ]);
  return `/${withParams(new URLSearchParams(), Object.fromEntries(named))}`;
}
