"use client";

import { type FocusEvent, type PointerEvent, type ReactNode, useRef } from "react";
import { Kbd } from "./kbd.tsx";

interface TooltipProps {
  /** Says what the control's own `aria-label` says; a tooltip is never the only place of a fact. */
  text: string;
  /** The key that does the same. */
  shortcut?: string;
  /** One control. */
  children: ReactNode;
}

/** The name of a control and its key, over everything, on hover and on keyboard focus; Escape takes it away. */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  const tip = useRef<HTMLSpanElement>(null);

  const show = ({ currentTarget }: PointerEvent | FocusEvent) => {
    const control = currentTarget.firstElementChild;
    if (control instanceof HTMLElement) tip.current?.showPopover({ source: control });
  };
  const hide = () => tip.current?.hidePopover();

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to the control inside it and has no box of its own
    <span
      className="contents"
      onPointerEnter={(event) => event.pointerType === "mouse" && show(event)}
      onPointerLeave={hide}
      onFocus={(event) => event.target.matches(":focus-visible") && show(event)}
      onBlur={hide}
      onClick={hide}
      onKeyDown={(event) => event.key === "Escape" && hide()}
    >
      {children}
      <span ref={tip} popover="manual" aria-hidden className="tooltip">
        {text}
        {shortcut && <Kbd>{shortcut}</Kbd>}
      </span>
    </span>
  );
}
