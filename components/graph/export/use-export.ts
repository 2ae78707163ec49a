"use client";

import { useTranslations } from "next-intl";
import { saveFile } from "@/components/client/save-file.ts";
import { useDuration } from "@/components/format/use-duration.ts";
import { useShortValue } from "@/components/format/use-short-value.ts";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import { shownStatus } from "@/components/ui/status.ts";
import { printExpression } from "@/lib/plan/reference.ts";
import type { Session } from "@/lib/session/session.ts";
import { tookOf } from "@/lib/session/took-of.ts";
import { linkState } from "../edge/link-state.ts";
import { edgeState } from "../edge/lost-pills.ts";
import { callOfNode, doneCallOfNode, statusOfNode } from "../find-in-session.ts";
import type { PlacedNode } from "../layout/layout.ts";
import type { LaidOut } from "../layout/use-layout.ts";
import { paramLines } from "../node/param-lines.ts";
import type { PlanLevel } from "../plan-level.ts";
import type { CardWords } from "./svg-card.ts";
import type { Writers } from "./writers.ts";

/** Export formats. */
type ExportKind = "svg" | "png" | "mermaid";

/** Exports the plan at the current step as a file, with the page's colors and language (C4). */
export function useExport(laidOut: LaidOut | undefined): (kind: ExportKind) => Promise<void> {
  const words = useWords();
  const t = useTranslations("graph");
  const store = useStudioStore();
  const nameOf = (ending: string) => {
    const { conversationId, session } = store.getState();
    return `${conversationId.replace(/[^\w.-]+/g, "-").slice(0, 80) || "plan"}-${session.at}.${ending}`;
  };
  const draw = ({ writeSvg, pagePalette, pageMeasure }: Writers, { layout }: LaidOut) => {
    const { session } = store.getState();
    return writeSvg(layout, {
      title: t("title"),
      palette: pagePalette(),
      measure: pageMeasure(),
      wordsOf: (placed) => words.ofCard(session, placed),
      stateOf: (edge) => edgeState(session, edge),
      headingOf: ({ kind, number }) => t(kind, { number }),
    });
  };
  return async (kind) => {
    if (!laidOut) return;
    const { writers } = await import("./writers.ts");
    switch (kind) {
      case "svg":
        return saveFile(new Blob([draw(writers, laidOut)], { type: "image/svg+xml" }), nameOf("svg"));
      case "png":
        return saveFile(await writers.drawPng(draw(writers, laidOut), writers.sizeOf(laidOut.layout)), nameOf("png"));
      case "mermaid": {
        const text = words.asMermaid(writers, store.getState().session, laidOut.plan.level);
        return saveFile(new Blob([text], { type: "text/plain" }), nameOf("mmd"));
      }
      default:
        return kind satisfies never;
    }
  };
}

function useWords() {
  const t = useTranslations("events.call_status");
  const tChain = useTranslations("graph.chain");
  const duration = useDuration();
  const shortValue = useShortValue();
  return {
    ofCard(session: Session, { node, box }: PlacedNode): CardWords {
      const call = callOfNode(session, node);
      const took = call && tookOf(call);
      return {
        status: statusOfNode(session, node),
        done: doneCallOfNode(session, node),
        time: took === null || node.chain ? null : duration(took),
        lines: node.chain
          ? [{ name: "", value: tChain("count", { count: node.chain.length }) }]
          : paramLines(node.call, call?.params ?? null, box.lines).map(({ name, value }) => ({
              name,
              value: value.kind === "value" ? shortValue(value.value) : printExpression(value.expression),
            })),
      };
    },
    asMermaid: ({ writeMermaid }: Writers, session: Session, level: PlanLevel) =>
      writeMermaid(level, {
        statusOf: (node) => shownStatus(callOfNode(session, node)),
        wordOf: (status) => t(status),
        stateOf: (from, to, write) =>
          linkState(doneCallOfNode(session, from), callOfNode(session, to), write, from.call.output?.length ?? 1),
      }),
  };
}
