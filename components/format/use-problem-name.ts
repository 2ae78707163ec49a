"use client";

import { useTranslations } from "next-intl";
import { PROBLEM_CODES } from "@/lib/plan/problem.ts";

/** What kind of problem a code means, in a few words of the reader's language; the code itself where it is not the engine's. */
export function useProblemName(): (code: string) => string {
  const t = useTranslations("studio.problem");
  return (code) => {
    const known = PROBLEM_CODES.find((one) => one === code);
    return known ? t(known) : code;
  };
}
