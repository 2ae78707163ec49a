"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { askedFor } from "@/components/format/asked-for.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { ItemValues } from "../item/item-values.tsx";

/** The button that gets the focus: the action for which the dialog was opened. */
const FIRST_ID = "bulk-first";

interface BulkDialogProps {
  decision: "approve" | "deny";
  /** The approvals as they were when the dialog was opened. */
  items: readonly ListedConfirmation[];
  /** Called with the reason, if there is one. */
  onSubmit: (reason: string) => void;
  onClose: () => void;
}

/** Confirms a decision about several approvals. */
export function BulkDialog({ decision, items, onSubmit, onClose }: BulkDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  // The outside system is the browser's top layer.
  useEffect(() => {
    dialog.current?.showModal();
    document.getElementById(FIRST_ID)?.focus();
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby="bulk-title"
      onClose={onClose}
      className="dialog w-130 max-w-[92vw] text-12 text-fg"
    >
      <Question
        decision={decision}
        items={items}
        onSubmit={(reason) => {
          onSubmit(reason);
          dialog.current?.close();
        }}
        onClose={() => dialog.current?.close()}
      />
    </dialog>
  );
}

interface QuestionProps {
  decision: "approve" | "deny";
  items: readonly ListedConfirmation[];
  onSubmit: (reason: string) => void;
  onClose: () => void;
}

function Question({ decision, items, onSubmit, onClose }: QuestionProps) {
  const t = useTranslations("approvals.bulk");
  const words = useTranslations("decision");
  const [reason, setReason] = useState("");
  const again = items.filter(({ cause }) => cause === "interrupted").length;
  const count = items.length;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(reason.trim());
      }}
    >
      <h2 id="bulk-title" className="px-4 pt-3.5 text-14 font-semibold text-balance">
        {t(decision === "approve" ? "approveTitle" : "denyTitle", { count })}
      </h2>
      <ul
        className="mx-4 mt-2 max-h-[min(46vh,360px)] overflow-y-auto rounded-2 border border-line-strong"
        tabIndex={0}
        aria-label={t("list")}
      >
        {items.map((item) => (
          <li key={item.id} className="border-line border-b px-2.5 py-1.75 last:border-b-0">
            <span className="block font-medium wrap-anywhere">{askedFor(item)}</span>
            <ItemValues item={item} />
          </li>
        ))}
      </ul>
      <div className="flex flex-col gap-2 px-4 pt-2.5 pb-4">
        {decision === "approve" && again > 0 && (
          <p className="flex items-start gap-1.5 text-pretty text-st-waiting">
            <Icon name="warn" size={14} className="mt-0.25" />
            {t("again", { count: again })}
          </p>
        )}
        {decision === "deny" && (
          <label className="block">
            <span className="mb-0.5 block text-11 text-fg-3">{words("reason")}</span>
            <input
              id={FIRST_ID}
              value={reason}
              maxLength={10_000}
              autoComplete="off"
              onChange={(event) => setReason(event.target.value)}
              className="h-8 w-full rounded-2 border border-line-control bg-surface px-2.5"
            />
          </label>
        )}
        <div className="flex flex-wrap items-center gap-1.5">
          <Button
            type="submit"
            id={decision === "approve" ? FIRST_ID : undefined}
            variant={decision === "approve" ? "primary" : "danger"}
            className="h-8! phone:h-11! px-3!"
          >
            {t(decision, { count })}
          </Button>
          <Button variant="ghost" onClick={onClose} className="h-8! phone:h-11!">
            {words("back")}
          </Button>
        </div>
      </div>
    </form>
  );
}
