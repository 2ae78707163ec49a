"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button.tsx";
import { PendingLine } from "./pending-line.tsx";
import type { Decide } from "./use-decide.ts";

/** Styles of a text, number or JSON field. */
export const FIELD =
  "flex w-full phone:min-h-11 items-center rounded-2 border border-line-control bg-surface px-2 py-1 text-fg aria-invalid:border-st-failed";

/** Styles of a field that grows with its text. */
export const GROWING = `${FIELD} field-sizing-content max-h-60 min-h-12 resize-none`;

interface DecisionFormProps {
  decide: Decide;
  submit: string;
  danger?: boolean;
  onSubmit: () => void;
  onBack: () => void;
  children: ReactNode;
}

/** A form of a decision; Escape goes back. */
export function DecisionForm({ decide, submit, danger = false, onSubmit, onBack, children }: DecisionFormProps) {
  const t = useTranslations("decision");
  return (
    <form
      noValidate
      className="mt-2 flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onBack();
      }}
    >
      {children}
      <div className="flex flex-wrap items-center gap-1.5">
        <Button type="submit" variant={danger ? "danger" : "primary"} disabled={decide.busy && !decide.pending}>
          {decide.pending ? t("pending.now") : submit}
        </Button>
        <Button variant="ghost" disabled={decide.busy} onClick={onBack}>
          {t("back")}
        </Button>
      </div>
      {decide.pending && <PendingLine pending={decide.pending} />}
    </form>
  );
}

/** A field with its label and error. */
export function Labelled({
  label,
  fault,
  children,
}: {
  label: ReactNode;
  fault?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the field is its child */}
      <label className="block">
        <span className="mb-1 block text-11 text-fg-3 wrap-anywhere">{label}</span>
        {children}
      </label>
      {fault && (
        <p role="alert" className="mt-0.5 text-11 text-st-failed wrap-anywhere">
          {fault}
        </p>
      )}
    </div>
  );
}
