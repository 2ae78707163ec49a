"use client";

import { useTranslations } from "next-intl";
import type { Fault, Field } from "../render-request.ts";

/** The fields whose faults are always the same one, so that it can be told in the reader's language. */
const WORDED = ["conversation", "timezone", "max_tokens", "max_chars", "max_messages"] as const;

interface FaultTextProps {
  field: Field;
  faults: readonly Fault[];
  /** The last step of the conversation, where one can be named that it does not have. */
  last?: number;
}

/** The id of a field's fault, which describes the field. */
export const faultId = (field: Field) => `fault-${field}`;

/** What is wrong with a field, below it; nothing where all is well. */
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
