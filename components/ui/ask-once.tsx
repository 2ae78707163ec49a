"use client";

import { type ReactNode, useId, useRef } from "react";
import { Button } from "./button.tsx";

interface AskOnceProps {
  /** What the button shows. */
  trigger: ReactNode;
  label: string;
  /** What will happen, in a sentence or two. */
  children: ReactNode;
  /** The word of the button that does it. */
  confirm: string;
  /** The word of the button that does not. */
  keep: string;
  danger?: boolean;
  busy: boolean;
  /** Does it; `close` takes the question away. */
  onConfirm: (close: () => void) => void;
}

/** A button that asks once more, in a popover beside it, before it does what cannot be taken back. */
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
        // The focus goes to what changes nothing.
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
