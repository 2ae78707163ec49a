import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Mark } from "./marks.ts";

interface SectionProps {
  title: string;
  /** The number of entries. */
  count: number;
  children: ReactNode;
}

/** A section of the memory; an empty one is a line. */
export function Section({ title, count, children }: SectionProps) {
  const t = useTranslations("memory");
  return (
    <section aria-label={title} className="border-line border-b px-4 py-2 last:border-b-0">
      <h3 className="flex min-h-5 items-center gap-1.5 font-semibold">
        {title}
        <span className="font-normal text-fg-3 tabular-nums">{count === 0 ? t("none") : count}</span>
      </h3>
      {count > 0 && <ul className="-mx-2 mt-0.5">{children}</ul>}
    </section>
  );
}

const LOOK = {
  add: { sign: "+", ground: "bg-add-bg", ink: "text-add" },
  change: { sign: "~", ground: "bg-chg-bg", ink: "text-chg" },
  remove: { sign: "−", ground: "bg-del-bg line-through decoration-del", ink: "text-del" },
} as const satisfies Record<Mark, object>;

/** An entry; marked when the step added, changed or removed it. */
export function Entry({ mark, children }: { mark: Mark | null; children: ReactNode }) {
  const t = useTranslations("memory.mark");
  const look = mark && LOOK[mark];
  return (
    <li
      data-mark={mark ?? undefined}
      className={`relative rounded-1 px-2 py-1 ${look ? `${look.ground} mb-px pl-5` : ""}`}
    >
      {mark && look && (
        <span className={`absolute left-1.5 inline-block font-bold ${look.ink}`}>
          <span aria-hidden>{look.sign}</span>
          <span className="sr-only">{t(mark)}</span>
        </span>
      )}
      {children}
    </li>
  );
}
