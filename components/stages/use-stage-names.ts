"use client";

import { useTranslations } from "next-intl";

const NODES = ["START", "detect_stage", "handle_admin", "handle_demo", "handle_demo_setup", "END"] as const;
const STAGES = ["admin", "demo", "demo_setup"] as const;

/** Names of nodes and stages; an unknown one is shown by its id. */
export function useStageNames(): { node: (id: string) => string; stage: (id: string) => string } {
  const t = useTranslations("stages");
  return {
    node: (id) => {
      const known = NODES.find((name) => name === id);
      return known ? t(`node.${known}`) : id;
    },
    stage: (id) => {
      const known = STAGES.find((name) => name === id);
      return known ? t(`stage.${known}`) : id;
    },
  };
}
