"use client";

import type { ReactNode } from "react";
import { Kbd } from "./kbd.tsx";
import { Tip } from "./tip.tsx";

interface TooltipProps {
  /** The same text as the control's `aria-label`. */
  text: string;
  /** The shortcut. */
  shortcut?: string;
  /** One control. */
  children: ReactNode;
}

/** A tooltip with a control's name and shortcut. */
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
