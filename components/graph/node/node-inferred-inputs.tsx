"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { Tip } from "@/components/ui/tip.tsx";
import { shortEdge } from "../edge/inferred-inputs.ts";
import { useGraphActions } from "../graph-actions.ts";
import type { Box } from "../layout/geometry.ts";
import { CARD } from "../layout/geometry.ts";
import type { GraphNode } from "../plan-level.ts";
import { type EdgeEvidence, useEvidence } from "./use-evidence.ts";

interface NodeBroughtProps {
  node: GraphNode;
  box: Box;
  /** They are focusable. */
  reachable: boolean;
}

/** Inferred inputs of a recorded call (E15), below its inputs. */
export function NodeInferredInputs({ node, box, reachable }: NodeBroughtProps) {
  const { showSource } = useGraphActions();
  const tell = useEvidence();
  return node.brought.map((brought, index) => {
    const { from, source } = brought;
    const mark = box.marks[index];
    const evidence = tell(brought);
    const speaker = source.kind === "message" ? evidence.speaker : undefined;
    return (
      // Inferred inputs keep their order.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <Evidence key={index} evidence={evidence}>
        <button
          type="button"
          tabIndex={reachable ? 0 : -1}
          className="pg-pill pg-brought"
          style={{ top: (mark?.y ?? 0) - CARD.pill / 2 }}
          aria-label={[evidence.source, ...evidence.lines.map(({ text }) => text)].join("; ")}
          onClick={() => showSource(brought)}
        >
          {from === null && <Icon name={source.kind === "message" ? "thread" : "left"} size={12} />}
          <span className="pg-cut">{shortEdge(brought, speaker)}</span>
        </button>
      </Evidence>
    );
  });
}

interface EvidenceProps {
  evidence: EdgeEvidence;
  /** One button, whose name says the same. */
  children: ReactNode;
}

/** Why an edge was inferred. */
function Evidence({ evidence: { source, lines, more }, children }: EvidenceProps) {
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
