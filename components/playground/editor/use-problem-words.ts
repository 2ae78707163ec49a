"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { useProblemName } from "@/components/format/use-problem-name.ts";
import type { PlacedProblem } from "./place-problems.ts";

/** What a problem is called, and a sentence about it. */
export interface ProblemWords {
  name: string;
  sentence: string;
}

const FAULTS = ["syntax_text", "inexact_number", "not_list", "not_object", "refused"] as const;

/** Tells problems: those of the texts themselves in the reader's language, the server's as it words them. */
export function useProblemWords(): (problem: Pick<PlacedProblem, "code" | "message" | "document">) => ProblemWords {
  const t = useTranslations("playground");
  const nameOf = useProblemName();
  return useCallback(
    ({ code, message, document }) => {
      const fault = FAULTS.find((one) => one === code);
      if (!fault) return { name: nameOf(code), sentence: message };
      const name = t(`faults.${fault}.name`);
      const sentence =
        fault === "refused" ? message : t(`faults.${fault}.text`, { document: t(`documents.${document}`) });
      return { name, sentence };
    },
    [t, nameOf],
  );
}
