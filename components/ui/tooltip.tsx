"use client";

import type { ReactNode } from "react";
import { Kbd } from "./kbd.tsx";
import { Tip } from "./tip.tsx";

interface TooltipProps {
  /** Says what the control's own `aria-label` says; a tooltip is never the only place of a fact. */
  text: string;
  /** The key that does the same. */
  shortcut?: string;
  /** One control. */
  children: ReactNode;
}

/** The name of a control and its key. */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  const content = (
    <>
      {text}
      {shortcut && <Kbd>{shortcut}</Kbd>}
    </>
  );
  return (
    <Tip className="tooltip" content={content}>
      {children}
    </Tip>
  );
}
