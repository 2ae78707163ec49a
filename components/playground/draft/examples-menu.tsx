"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";
import { type Draft, EMPTY_DRAFT } from "./documents.ts";
import { EXAMPLES } from "./examples.ts";

/** Example plans. */
export function ExamplesMenu({ onExample }: { onExample: (draft: Draft) => void }) {
  const t = useTranslations("playground.examples");
  return (
    <Menu
      trigger={
        <>
          {t("title")}
          <Icon name="down" size={12} />
        </>
      }
      className="inline-flex h-[var(--control)] items-center gap-1.5 rounded-2 border border-line-strong bg-raised px-2.25 font-medium hover:bg-hover"
    >
      {EXAMPLES.map(({ name, draft }) => (
        <MenuItem key={name} onSelect={() => onExample(draft)}>
          <span className="flex flex-col py-1">
            <span className="font-medium">{t(`${name}.title`)}</span>
            <span className="text-11 text-fg-3">{t(`${name}.text`)}</span>
          </span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => onExample(EMPTY_DRAFT)}>{t("nothing")}</MenuItem>
    </Menu>
  );
}

/** The same, in the empty state. */
export function ExampleButtons({ onExample }: { onExample: (draft: Draft) => void }) {
  const t = useTranslations("playground.examples");
  return EXAMPLES.map(({ name, draft }) => (
    <Button key={name} title={t(`${name}.text`)} onClick={() => onExample(draft)}>
      {t(`${name}.title`)}
    </Button>
  ));
}
