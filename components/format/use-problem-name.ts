"use client";

import { useTranslations } from "next-intl";
import { PROBLEM_CODES } from "@/lib/plan/problem.ts";

/** A problem code's name in the reader's language; the code itself if it is not the engine's. */
export function useProblemName(): (code: string) => string {
  const t = useTranslations("studio.problem");
  return (code) => {
    const known = PROBLEM_CODES.find((one) => one === code);
    return known ? t(known) : code;
  };
}
