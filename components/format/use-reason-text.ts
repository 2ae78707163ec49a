import { useTranslations } from "next-intl";
import { knownReason } from "./known-reason.ts";

/** A reason in the reader's language if it is one of the engine's, else unchanged. */
export function useReasonText(): (reason: string) => string {
  const t = useTranslations("studio.reason");
  return (reason) => {
    const known = knownReason(reason);
    return known ? t(known.name, known.values) : reason;
  };
}
