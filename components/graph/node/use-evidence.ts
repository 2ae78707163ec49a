"use client";

import { useTranslations } from "next-intl";
import { type InferredInput, readablePath } from "../edge/inferred-inputs.ts";

/** The explanation of an inferred edge. */
export interface EdgeEvidence {
  /** The source call. */
  source: string;
  /** The speaker; the recorded role if it is unknown. */
  speaker: string;
  /** `"W7741": orders/1 → id`, each with its value and the two paths. */
  lines: readonly { text: string; value: string; way: string }[];
  /** The number of further values. */
  more: number;
}

const MOST_LINES = 8;
const ROLES = ["user", "system", "operator"] as const;

/** Formats inferred inputs: each value with both paths. */
export function useEvidence(): (brought: InferredInput) => EdgeEvidence {
  const t = useTranslations("graph.inferred");
  return ({ source, tool, from, edges }) => {
    const role = source.kind === "message" ? source.role : "";
    const known = ROLES.find((one) => one === role);
    return {
      source:
        source.kind === "message"
          ? t("fromMessage", { role: known ? t(`message.${known}`) : role })
          : t(from === null ? "fromEarlier" : "fromCall", { tool: tool ?? "" }),
      speaker: known ? t(`role.${known}`) : role,
      lines: edges.slice(0, MOST_LINES).map(({ from: start, to_path, value }) => {
        const end = readablePath(to_path);
        const way = start.kind === "call" ? `${readablePath(start.path)} → ${end}`.trimStart() : `→ ${end}`;
        return { text: `${value}: ${way}`, value, way };
      }),
      more: Math.max(0, edges.length - MOST_LINES),
    };
  };
}
