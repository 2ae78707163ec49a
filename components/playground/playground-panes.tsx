"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import "./playground.css";
import { Group, Panel, Separator } from "react-resizable-panels";
import { useNarrow } from "@/components/studio/panes/use-narrow.ts";

/** The panes; a narrow window shows one or two of them. */
export const SIDES = ["text", "graph", "simulation"] as const;
export type Side = (typeof SIDES)[number];

/** The draggable width of a separator, px. */
const GRAB = { fine: 8, coarse: 20 };

interface PlaygroundPanesProps extends Record<Side, ReactNode> {
  /** The shown pane where they do not fit side by side. */
  side: Side;
  /** The form of the selected call: in the place of the simulation, in narrow windows in that of the text; null: hidden. */
  form: ReactNode | null;
}

/** Text, graph and simulation side by side; in narrow windows the text and one of the others, or one alone. */
export function PlaygroundPanes({ side, text, graph, simulation, form }: PlaygroundPanesProps) {
  const t = useTranslations("playground.panes");
  const isNarrow = useNarrow();
  const right = side === "simulation" ? simulation : graph;
  return (
    <Group
      key={isNarrow ? "narrow" : "wide"}
      id="playground"
      resizeTargetMinimumSize={GRAB}
      data-side={isNarrow && form ? "text" : side}
      className="pl-panes row-start-3 min-h-0"
    >
      <Panel id="text" minSize={280} defaultSize={isNarrow ? "50%" : "36%"} className="pl-text flex">
        <div hidden={isNarrow && form !== null} className="flex min-w-0 flex-1 [&[hidden]]:hidden">
          {text}
        </div>
        {isNarrow && form}
      </Panel>
      <Hairline label={t("resizeText")} />
      <Panel id="graph" minSize={260} className="pl-other relative isolate">
        {isNarrow ? right : graph}
      </Panel>
      {!isNarrow && (
        <>
          <Hairline label={t("resizeSimulation")} />
          <Panel id="simulation" minSize={260} defaultSize={320} groupResizeBehavior="preserve-pixel-size">
            {form ?? simulation}
          </Panel>
        </>
      )}
    </Group>
  );
}

function Hairline({ label }: { label: string }) {
  return (
    <Separator
      aria-label={label}
      className="pl-line relative z-1 w-px bg-line-strong outline-none data-[separator=active]:bg-accent data-[separator=hover]:bg-line-control focus-visible:bg-accent"
    />
  );
}
