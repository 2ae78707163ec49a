import { useTranslations } from "next-intl";
import { knownReason } from "./known-reason.ts";

/** Tells a reason in the reader's language where it is one of the engine's own, else as it was given. */
export function useToldReason(): (reason: string) => string {
  const t = useTranslations("studio.reason");
  return (reason) => {
    const known = knownReason(reason);
    return known ? t(known.name, known.values) : reason;
  };
}
