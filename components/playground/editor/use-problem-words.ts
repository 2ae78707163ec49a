"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { useProblemName } from "@/components/format/use-problem-name.ts";
import { useProblemText } from "@/components/format/use-problem-text.ts";
import type { LocalizedText } from "@/lib/plan/localized-text.ts";
import type { PlacedProblem } from "./place-problems.ts";

/** A problem's name and sentence. */
export interface ProblemWords {
  name: string;
  sentence: string;
}

const FAULTS = ["syntax_text", "inexact_number", "not_list", "not_object", "refused"] as const;

/** Names and sentences of problems in the reader's language. */
export function useProblemWords(): (
  problem: Pick<PlacedProblem, "code" | "document" | keyof LocalizedText>,
) => ProblemWords {
  const t = useTranslations("playground");
  const nameOf = useProblemName();
  const textOf = useProblemText();
  return useCallback(
    (problem) => {
      const { code, message, document } = problem;
      const fault = FAULTS.find((one) => one === code);
      if (!fault) return { name: nameOf(code), sentence: textOf(problem) };
      const name = t(`faults.${fault}.name`);
      const sentence =
        fault === "refused" ? message : t(`faults.${fault}.text`, { document: t(`documents.${document}`) });
      return { name, sentence };
    },
    [t, nameOf, textOf],
  );
}
