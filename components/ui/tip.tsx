"use client";

import { type FocusEvent, type PointerEvent, type ReactNode, useRef } from "react";

interface TipProps {
  className: string;
  /** The control's accessible name must contain it, too. */
  content: ReactNode;
  /** One control. */
  children: ReactNode;
}

/** A tooltip on hover and keyboard focus; Escape hides it. */
export function Tip({ className, content, children }: TipProps) {
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
      <span ref={tip} popover="manual" aria-hidden className={className}>
        {content}
      </span>
    </span>
  );
}
