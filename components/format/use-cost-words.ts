"use client";

import { useFormatter } from "next-intl";
import type { Cost } from "@/lib/session/prices.ts";

/** Small amounts keep two significant digits: an answer costs a fraction of a cent. */
const SMALL = { maximumSignificantDigits: 2 } as const;

/** Formats costs: `€0.0021`, `€1.20 + $0.30`. */
export function useCostWords(): (costs: readonly Cost[]) => string {
  const format = useFormatter();
  return (costs) =>
    costs
      .map(({ currency, amount }) =>
        format.number(amount, { style: "currency", currency, ...(Math.abs(amount) < 1 && SMALL) }),
      )
      .join(" + ");
}
