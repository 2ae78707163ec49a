"use client";

import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "@/components/ui/button.tsx";

interface FormDialogProps {
  title: string;
  /** The label of the submit button; undefined for a dialog that can only be closed. */
  submit?: string;
  /** The label of the cancel button. */
  leave: string;
  danger?: boolean;
  busy?: boolean;
  /** Only its own button closes it, because its content is shown once. */
  isSticky?: boolean;
  isWide?: boolean;
  onSubmit?: (data: FormData) => void;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog with a form. It is open while it is rendered. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, leave, danger = false, busy = false, isSticky = false, isWide = false } = props;
  const { onSubmit, onClose, children } = props;
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // The outside system is the browser's top layer.
  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog
      ref={dialog}
      closedby={isSticky ? "none" : "closerequest"}
      aria-labelledby={heading}
      onClose={onClose}
      className={`dialog max-w-[94vw] text-12 text-fg ${isWide ? "w-140" : "w-100"}`}
    >
      <form
        noValidate
        className="flex max-h-[86vh] flex-col"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onSubmit?.(new FormData(event.currentTarget));
        }}
      >
        <h2 id={heading} className="flex-none px-4 pt-3.5 pb-2.5 font-semibold text-14 wrap-anywhere">
          {title}
        </h2>
        <div className="flex min-h-0 flex-1 flex-col gap-3.5 overflow-y-auto px-4 pt-0.5 pb-3.5">{children}</div>
        <div className="flex flex-none flex-wrap items-center gap-1.5 border-line border-t px-4 py-3">
          {submit !== undefined && (
            <Button
              type="submit"
              variant={danger ? "danger" : "primary"}
              disabled={busy}
              className="h-8! phone:h-11! px-3!"
            >
              {submit}
            </Button>
          )}
          <Button
            variant={submit === undefined ? "primary" : "ghost"}
            onClick={() => dialog.current?.close()}
            className={submit === undefined ? "h-8! phone:h-11! px-3!" : "h-8! phone:h-11!"}
          >
            {leave}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
