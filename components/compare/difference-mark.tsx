import { useTranslations } from "next-intl";
import type { Presence } from "@/lib/session/compare/sides.ts";

/** The look of each difference; the first side is "before". */
export const LOOK = {
  same: { sign: "", ground: "", ink: "text-fg-3" },
  changed: { sign: "~", ground: "bg-chg-bg", ink: "text-chg" },
  a: { sign: "−", ground: "bg-del-bg", ink: "text-del" },
  b: { sign: "+", ground: "bg-add-bg", ink: "text-add" },
} as const satisfies Record<Presence, object>;

/** The mark of a difference, with a label for screen readers. */
export function DifferenceMark({ standing, className = "" }: { standing: Presence; className?: string }) {
  const t = useTranslations("compare.standing");
  const { sign, ink } = LOOK[standing];
  return (
    <span className={`w-3 flex-none text-center font-mono font-bold ${ink} ${className}`}>
      <span aria-hidden>{sign}</span>
      <span className="sr-only">{t(standing)}</span>
    </span>
  );
}
