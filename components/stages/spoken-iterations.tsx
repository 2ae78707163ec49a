"use client";

import { useTranslations } from "next-intl";
import { StepLink } from "@/components/inspector/step-link.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Run } from "@/lib/session/session.ts";
import { iterationsOf, type Visit } from "./way.ts";

/** The iterations of the engine's loop in which a node's agents spoke, each a way to its step. */
export function SpokenIterations({ run, visit }: { run: Run; visit: Visit }) {
  const t = useTranslations("stages");
  const rows = useStudio((state) => state.timeline);
  const at = useStudio((state) => state.session.at);
  const isMany = visit.agents.length > 1;
  return iterationsOf(run.id, visit, rows, at).map(({ agent_id, iteration, seq }) => (
    <StepLink key={seq} step={seq}>
      <span className="sr-only">{t("iteration")}</span> {iteration}
      {isMany && <span className="font-mono text-11 text-fg-3">{agent_id}</span>}
    </StepLink>
  ));
}
