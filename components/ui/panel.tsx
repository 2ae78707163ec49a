"use client";

import { type ReactNode, type ToggleEvent, useCallback, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface PanelProps {
  /** The button's content. */
  trigger: ReactNode;
  /** The panel's accessible name. */
  label: string;
  /** The button's classes. */
  className: string;
  /** The panel's width, as a class. */
  width: string;
  align?: "start" | "end";
  /** The button's id. */
  id?: string;
  /** The content, rendered while the panel is open. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a panel of controls: a native popover, which Escape and a press outside of it close. */
export function Panel({ trigger, label, className, width, align = "start", id, children }: PanelProps) {
  const panelId = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => panel.current?.hidePopover(), []);
  // It may have been opened before hydration.
  const attach = useCallback((element: HTMLDivElement | null) => {
    panel.current = element;
    if (element?.matches(":popover-open")) setOpen(true);
  }, []);
  const onBeforeToggle = ({ newState }: ToggleEvent<HTMLDivElement>) => {
    if (newState === "open") flushSync(() => setOpen(true));
  };
  return (
    <>
      <button
        type="button"
        id={id}
        popoverTarget={panelId}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={className}
      >
        {trigger}
      </button>
      <div
        ref={attach}
        id={panelId}
        popover="auto"
        role="dialog"
        aria-label={label}
        onBeforeToggle={onBeforeToggle}
        onToggle={({ newState }) => setOpen(newState === "open")}
        className={`menu ${align === "end" ? "menu-end" : ""} ${width}`}
      >
        {isOpen && children(close)}
      </div>
    </>
  );
}
