"use client";

import { useTranslations } from "next-intl";
import { useStudio } from "@/components/studio/use-studio.ts";
import { lostPills } from "../edge/lost-pills.ts";
import { useGraphActions } from "../graph-actions.ts";
import { type Box, CARD, labelPlace } from "../layout/geometry.ts";
import type { PlacedEdge } from "../layout/layout.ts";

interface NodePillsProps {
  box: Box;
  /** The edges that end here. */
  feeds: readonly PlacedEdge[];
  /** Indexes of inputs that overlap the selected path. */
  lit: readonly number[];
  /** They are focusable. */
  reachable: boolean;
}

/** The inputs of a call, above its top left corner, where its edges end. */
export function NodePills({ box, feeds, lit, reachable }: NodePillsProps) {
  const t = useTranslations("graph");
  const { selectPath } = useGraphActions();
  const lost = useStudio(({ session }) => lostPills(session, feeds)).split(" ");
  return (
    <>
      {box.pills.map(({ path, y, barred }, index) => (
        <button
          // Inputs of a call never change their order.
          // biome-ignore lint/suspicious/noArrayIndexKey: a path can stand in several groups
          key={index}
          type="button"
          tabIndex={reachable ? 0 : -1}
          className="pg-pill"
          data-barred={barred || undefined}
          data-lit={lit.includes(index) || undefined}
          data-lost={lost.includes(String(index)) || undefined}
          style={{ top: y - CARD.pill / 2 }}
          title={path}
          aria-label={t("readsPath", { path })}
          onClick={() => selectPath(path)}
        >
          <PathText path={path} />
        </button>
      ))}
      {box.bars.map(({ kind, top, bottom, count }) => (
        <span key={`${kind} ${top}`} className={`pg-bar pg-bar-${kind}`} style={{ top, height: bottom - top }}>
          <span className="pg-operator" style={{ left: labelPlace(box, top, bottom) }}>
            {kind === "fallback" ? "||" : <>&amp;&amp; {t("gate", { count })}</>}
          </span>
        </span>
      ))}
    </>
  );
}

/** A path with its kind muted. When truncated, its end stays visible. */
export function PathText({ path }: { path: string }) {
  const kind = /^†[^.[]*/u.exec(path)?.[0] ?? "";
  return (
    <>
      <span className="pg-kind">{kind}</span>
      <span className="pg-path">
        <bdi>{path.slice(kind.length)}</bdi>
      </span>
    </>
  );
}
