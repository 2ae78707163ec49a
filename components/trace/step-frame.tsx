"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Icon, type IconName } from "@/components/ui/icon.tsx";

/** Known phases with their icons. */
const PHASES = {
  reasoning: { icon: "thread", ink: "text-k-model" },
  action: { icon: "write", ink: "text-k-tool" },
  observation: { icon: "read", ink: "text-k-state" },
  final: { icon: "check", ink: "text-st-succeeded" },
} as const satisfies Record<string, { icon: IconName; ink: string }>;

type Phase = keyof typeof PHASES;

interface StepFrameProps {
  /** The step's name. */
  phase: string;
  /** It is the last one, without a connecting line. */
  last: boolean;
  /** Content at the right end of the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A step of a trace with its connecting line. */
export function StepFrame({ phase, last, aside, children }: StepFrameProps) {
  const t = useTranslations("trace.phase");
  const known = phaseOf(phase);
  const { icon, ink } = known ? PHASES[known] : OTHER;
  return (
    <li className="grid grid-cols-[18px_minmax(0,1fr)] gap-x-2">
      <span className="flex flex-col items-center">
        <Icon name={icon} size={14} className={`mt-0.5 ${ink}`} />
        {!last && <span aria-hidden className="mt-1 w-px flex-1 bg-line-strong" />}
      </span>
      <div className={`min-w-0 ${last ? "" : "pb-3.5"}`}>
        <div className="flex min-h-4.5 items-center gap-1.5">
          <h4 className={`text-11 font-semibold ${ink}`}>{known ? t(known) : phase}</h4>
          <span className="flex-1" />
          {aside}
        </div>
        {children}
      </div>
    </li>
  );
}

/** An agent may have its own phases. */
const OTHER = { icon: "right", ink: "text-fg-2" } as const;

function phaseOf(text: string): Phase | null {
  const name = text.toLowerCase();
  return name === "reasoning" || name === "action" || name === "observation" || name === "final" ? name : null;
}
