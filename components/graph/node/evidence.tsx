"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Tip } from "@/components/ui/tip.tsx";
import type { EdgeEvidence } from "./use-evidence.ts";

interface EvidenceProps {
  evidence: EdgeEvidence;
  /** One control, whose name says the same. */
  children: ReactNode;
}

/** Why an edge is drawn that nobody declared. */
export function Evidence({ evidence: { source, lines, more }, children }: EvidenceProps) {
  const t = useTranslations("graph.inferred");
  const content = (
    <>
      <p>{source}</p>
      <dl>
        {lines.map(({ text, value, way }) => (
          <div key={text}>
            <dt>{value}</dt>
            <dd>{way}</dd>
          </div>
        ))}
      </dl>
      {more > 0 && <p>{t("more", { count: more })}</p>}
    </>
  );
  return (
    <Tip className="pg-evidence" content={content}>
      {children}
    </Tip>
  );
}
