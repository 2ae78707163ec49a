"use client";

import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { FAILURE, parseFailure } from "./failure-address.ts";

/** Loaded on first use. */
const FailureCard = dynamic(() => import("./failure-card.tsx").then((module) => module.FailureCard), {
  loading: () => null,
});

/** The card of the failure in the address. */
export function FailureHost() {
  const asked = parseFailure(useSearchParams().get(FAILURE));
  return asked === null ? null : <FailureCard asked={asked} />;
}
