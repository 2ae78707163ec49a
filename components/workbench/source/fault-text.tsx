"use client";

import { useTranslations } from "next-intl";
import type { Fault, Field } from "../render-request.ts";

/** Fields with a single kind of error, so that it can be translated. */
const WORDED = ["conversation", "timezone", "max_tokens", "max_chars", "max_messages"] as const;

interface FaultTextProps {
  field: Field;
  faults: readonly Fault[];
  /** The last step of the conversation, for an error about a step. */
  last?: number;
}

/** The id of a field's error, for `aria-describedby`. */
export const faultId = (field: Field) => `fault-${field}`;

/** A field's error; nothing without one. */
export function FaultText({ field, faults, last }: FaultTextProps) {
  const t = useTranslations("workbench.faults");
  const fault = faults.find((one) => one.field === field);
  if (!fault) return null;
  const worded = WORDED.find((one) => one === field);
  const words = worded ? t(worded) : last === undefined ? fault.message : t("at", { last });
  return (
    <p id={faultId(field)} role="alert" className="mt-1 text-11 text-pretty text-st-failed wrap-anywhere">
      {words}
    </p>
  );
}
