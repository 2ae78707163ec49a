"use client";

import { useTranslations } from "next-intl";
import { saveFile } from "@/components/client/save-file.ts";
import { useDuration } from "@/components/format/use-duration.ts";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { useShortValue } from "@/components/format/use-short-value.ts";
import { addressOfStep } from "@/components/replay/address.ts";
import { missingInputsOf } from "@/components/selection/missing-inputs.ts";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import { shownStatus } from "@/components/ui/status.ts";
import { printExpression } from "@/lib/plan/reference.ts";
import { tookOf } from "@/lib/session/runs/took-of.ts";
import type { Call, Session } from "@/lib/session/session.ts";
import { linkState } from "../edge/link-state.ts";
import { edgeState } from "../edge/lost-pills.ts";
import { callOfNode, doneCallOfNode, statusOfNode } from "../find-in-session.ts";
import type { PlacedNode } from "../layout/layout.ts";
import type { LaidOut } from "../layout/use-layout.ts";
import { noteKind } from "../node/card-note.tsx";
import { paramLines } from "../node/param-lines.ts";
import type { PlanLevel } from "../plan-level.ts";
import { copyPicture } from "./copy-picture.ts";
import type { CardWords } from "./svg-card.ts";
import type { Writers } from "./writers.ts";

/** Export formats. */
type ExportKind = "svg" | "png" | "copy" | "mermaid";

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
      gateOf: (count) => t("gate", { count }),
    });
  };
  return async (kind) => {
    if (!laidOut) return;
    const loaded = import("./writers.ts").then(({ writers }) => writers);
    const svg = async () => {
      const writers = await loaded;
      return writers.embedFonts(draw(writers, laidOut));
    };
    const png = async () => (await loaded).drawPng(await svg(), (await loaded).sizeOf(laidOut.layout));
    switch (kind) {
      case "svg":
        return saveFile(new Blob([await svg()], { type: "image/svg+xml" }), nameOf("svg"));
      case "png":
        return saveFile(await png(), nameOf("png"));
      case "copy":
        return copyPicture(png(), addressOfStep(store.getState().at));
      case "mermaid": {
        const text = words.asMermaid(await loaded, store.getState().session, laidOut.plan.level);
        return saveFile(new Blob([text], { type: "text/plain" }), nameOf("mmd"));
      }
      default:
        return kind satisfies never;
    }
  };
}

function useWords() {
  const t = useTranslations("events.call_status");
  const tGraph = useTranslations("graph");
  const tChain = useTranslations("graph.chain");
  const told = useReasonText();
  const noteOf = (session: Session, call: Call): CardWords["note"] => {
    const kind = noteKind(call);
    const tries = call.tries.length;
    switch (kind) {
      case null:
        return null;
      case "decided":
        return { text: t(shownStatus(call)), isError: false };
      case "waits":
        return {
          text: tGraph(`waits.${call.reason === "interrupted" ? "interrupted" : "confirmation"}`),
          isError: false,
        };
      case "untaken":
        return { text: tGraph("notTaken"), isError: false };
      case "missing": {
        const path = missingInputsOf(session, call)[0]?.path;
        const isUntaken = call.status === "skipped" || path === undefined;
        return { text: isUntaken ? tGraph("notTaken") : tGraph("without", { path }), isError: false };
      }
      case "reason":
        return { text: told(call.error?.message ?? call.reason ?? ""), isError: shownStatus(call) === "failed" };
      case "retries":
        return { text: tGraph("tryNow", { number: tries + 1 }), isError: true };
      case "tries":
        return { text: tGraph("tries", { count: tries + 1 }), isError: true };
      default:
        return kind satisfies never;
    }
  };
  const duration = useDuration();
  const shortValue = useShortValue();
  return {
    ofCard(session: Session, { node, box }: PlacedNode): CardWords {
      const call = callOfNode(session, node);
      const took = call && tookOf(call);
      const note = call && !node.chain ? noteOf(session, call) : null;
      return {
        note,
        status: statusOfNode(session, node),
        done: doneCallOfNode(session, node),
        time: took === null || node.chain ? null : duration(took),
        lines: node.chain
          ? [{ name: "", value: tChain("count", { count: node.chain.length }) }]
          : paramLines(node.call, call?.params ?? null, box.lines - (note ? 1 : 0)).map(({ name, value }) => ({
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
