"use client";

import { Fragment } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import type { Run } from "@/lib/session/session.ts";
import { handlersOf } from "./turn-path.ts";
import { useStageNames } from "./use-stage-names.ts";

/** The stages of a turn in one line: Administrator → Demonstration. */
export function StageStrip({ run }: { run: Run }) {
  const names = useStageNames();
  const handlers = handlersOf(run);
  if (handlers.length === 0) return null;
  return (
    <span className="flex min-w-0 items-center gap-0.75 overflow-hidden text-11">
      {handlers.map((node, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a turn may come to a node twice; places never move
        <Fragment key={index}>
          {index > 0 && <Icon name="right" size={12} className="text-fg-3" />}
          <span className="truncate">{names.node(node)}</span>
        </Fragment>
      ))}
    </span>
  );
}
