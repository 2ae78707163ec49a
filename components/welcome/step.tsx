import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { STATUS, STATUS_INK, type Status } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";

/** How a step stands: its mark, and the same in words. */
export interface Standing {
  status: Status;
  words: string;
}

interface StepProps {
  number: 1 | 2 | 3;
  title: string;
  isDone: boolean;
  standing: Standing;
  children: ReactNode;
}

/** A thing to try. */
export function Step({ number, title, isDone, standing: { status, words }, children }: StepProps) {
  const mark = isDone ? "border-st-succeeded bg-st-succeeded-bg text-st-succeeded" : "border-line-control text-fg-2";
  return (
    <li className="grid grid-cols-[26px_minmax(0,1fr)] gap-x-4 border-line border-t py-4.5 phone:gap-x-3">
      <span
        aria-hidden
        className={`flex size-6.5 items-center justify-center rounded-full border font-semibold text-12 ${mark}`}
      >
        {isDone ? <Icon name="check" size={14} /> : number}
      </span>
      <div className="min-w-0">
        <div className="flex min-h-6.5 flex-wrap items-center justify-between gap-x-4">
          <h2 className="font-semibold text-14 tracking-[-0.01em]">{title}</h2>
          <p
            role="status"
            className={`flex items-center gap-1.5 text-12 tabular-nums ${isDone ? "font-medium" : ""} ${STATUS_INK[STATUS[status].token]}`}
          >
            <StatusIcon status={status} size={14} />
            {words}
          </p>
        </div>
        {children}
      </div>
    </li>
  );
}

/** What a step is about, in a sentence or two. */
export function About({ children }: { children: ReactNode }) {
  return <p className="mt-0.5 max-w-120 text-13 text-fg-2 leading-5 text-pretty">{children}</p>;
}
