"use client";

import { type ReactNode, useId, useRef } from "react";
import { Button } from "./button.tsx";

interface AskOnceProps {
  /** The button's content. */
  trigger: ReactNode;
  label: string;
  /** What will happen, in a sentence or two. */
  children: ReactNode;
  /** The label of the confirm button. */
  confirm: string;
  /** The label of the cancel button. */
  keep: string;
  danger?: boolean;
  busy: boolean;
  /** Called on confirmation; `close` closes the popover. */
  onConfirm: (close: () => void) => void;
}

/** A button with a confirmation popover, for what cannot be undone. */
export function AskOnce({ trigger, label, children, confirm, keep, danger = false, busy, onConfirm }: AskOnceProps) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const leave = useRef<HTMLButtonElement>(null);
  const close = () => popover.current?.hidePopover();
  return (
    <>
      <Button variant="ghost" popoverTarget={id} aria-label={label} title={label} data-command="">
        {trigger}
      </Button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        // The cancel button gets the focus.
        onToggle={({ newState }) => newState === "open" && leave.current?.focus()}
        className="menu menu-end w-75 p-3! text-pretty"
      >
        <div className="flex flex-col gap-2">{children}</div>
        <div className="mt-3 flex flex-wrap gap-1.5">
          <Button variant={danger ? "danger" : "primary"} disabled={busy} onClick={() => onConfirm(close)}>
            {confirm}
          </Button>
          <Button ref={leave} onClick={close}>
            {keep}
          </Button>
        </div>
      </div>
    </>
  );
}
