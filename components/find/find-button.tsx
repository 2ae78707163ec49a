"use client";

import { useTranslations } from "next-intl";
import { captureKeys } from "@/components/keys/keyboard-capture.ts";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { FIND_FIELD } from "./find-panel.tsx";
import { useFind } from "./use-find.ts";

/** Opens the search within the conversation, as `/` does. */
export function FindButton() {
  const t = useTranslations("find");
  const [find, setFind] = useFind();

  useShortcuts({
    search: () => {
      const field = document.getElementById(FIND_FIELD);
      if (field instanceof HTMLInputElement) field.select();
      else {
        // The panel opens a moment later; keys typed meanwhile are passed to it.
        captureKeys(() => setFind(null));
        setFind("");
      }
    },
  });

  return (
    <Button
      variant="ghost"
      square
      aria-label={t("open")}
      title={`${t("open")} (/)`}
      aria-keyshortcuts="/"
      aria-expanded={find !== null}
      onClick={() => setFind(find === null ? "" : null)}
    >
      <Icon name="search" />
    </Button>
  );
}
