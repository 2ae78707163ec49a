"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { isTyping } from "@/components/shell/is-typing.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { FIND_FIELD } from "./find-panel.tsx";
import { useFind } from "./use-find.ts";

/** Opens the search within this session; `/` does as well. */
export function FindButton() {
  const t = useTranslations("find");
  const [find, setFind] = useFind();

  // The outside system is the keyboard.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || isTyping(event)) return;
      event.preventDefault();
      const field = document.getElementById(FIND_FIELD);
      if (field instanceof HTMLInputElement) field.select();
      else setFind("");
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [setFind]);

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
