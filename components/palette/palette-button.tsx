"use client";

import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { isMac, openPalette } from "./open-palette.ts";

/** The keyboard does not change while a page is open. */
const neverChanges = () => () => undefined;

/** Opens the palette, and shows its shortcut. */
export function PaletteButton() {
  const t = useTranslations("palette");
  const mac = useSyncExternalStore(neverChanges, isMac, () => false);
  return (
    <button
      type="button"
      aria-label={t("open")}
      aria-keyshortcuts={mac ? "Meta+K" : "Control+K"}
      aria-haspopup="dialog"
      onClick={openPalette}
      className="inline-flex h-[var(--control)] flex-none phone:min-w-11 phone:justify-center items-center gap-1.5 rounded-2 px-1.5 text-fg-3 hover:bg-hover hover:text-fg"
    >
      <Icon name="search" />
      <Kbd className="max-md:hidden">{mac ? "⌘ K" : "Ctrl K"}</Kbd>
    </button>
  );
}
