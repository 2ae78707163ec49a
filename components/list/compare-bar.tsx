"use client";

import { useTranslations } from "next-intl";
import { addressOf } from "@/components/compare/place.ts";
import { SideBadge } from "@/components/compare/side-badge.tsx";
import { printedKey } from "@/components/keys/shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { Mark } from "./use-marks.ts";

/** The address of the comparison; null until two are selected. */
export function comparing([a, b]: readonly Mark[]): string | null {
  return a && b ? addressOf({ a: a.id, b: b.id }) : null;
}

/** The conversations selected for comparison, with a link to it. */
export function CompareBar({ marks, onClear }: { marks: readonly Mark[]; onClear: () => void }) {
  const t = useTranslations("list.marks");
  const address = comparing(marks);
  return (
    <section
      aria-label={t("label")}
      className="row-start-5 flex min-w-0 items-center gap-3 border-line-strong border-t bg-accent-soft px-3 py-2"
    >
      <div role="status" className="flex min-w-0 flex-1 items-center gap-4">
        {marks.map(({ id, title }, index) => (
          <span key={id} className="inline-flex min-w-0 max-w-80 items-center gap-1.5">
            <SideBadge side={index === 0 ? "a" : "b"} />
            <span className="truncate font-medium">{title}</span>
          </span>
        ))}
        {address === null && <span className="truncate text-fg-2 max-md:sr-only">{t("one")}</span>}
      </div>
      {address !== null && (
        <Link
          href={address}
          aria-keyshortcuts={printedKey("compare")}
          className="inline-flex h-[var(--control)] flex-none items-center gap-1.25 rounded-2 border border-accent bg-accent px-2.25 font-medium text-accent-fg hover:border-accent-hover hover:bg-accent-hover"
        >
          <Icon name="compare" />
          {t("compare")}
          <Kbd className="border-current! bg-transparent! text-inherit!">{printedKey("compare")}</Kbd>
        </Link>
      )}
      <Button variant="ghost" aria-keyshortcuts="Escape" onClick={onClear}>
        {t("clear")}
        <Kbd>Esc</Kbd>
      </Button>
    </section>
  );
}
