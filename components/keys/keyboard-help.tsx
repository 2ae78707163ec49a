"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { EVERYWHERE, type KeyPage, PAGE_KEYS } from "./pages.ts";
import { useKeyLines } from "./use-key-lines.ts";
import { useShortcuts } from "./use-shortcuts.ts";

interface KeyboardHelpProps {
  page: KeyPage;
  /** Shows only the key, with an accessible name. */
  bare?: boolean;
  className?: string;
}

/** The keyboard shortcuts of a page, opened with `?` or its button. */
export function KeyboardHelp({ page, bare = false, className = "" }: KeyboardHelpProps) {
  const t = useTranslations("common.keys");
  const print = useKeyLines();
  const text = useTranslations();
  const dialog = useRef<HTMLDialogElement>(null);
  useShortcuts({ help: () => dialog.current?.showModal() });

  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="?"
        title={bare ? t("all") : undefined}
        onClick={() => dialog.current?.showModal()}
        className={`inline-flex min-h-6 min-w-6 items-center justify-center gap-1.25 rounded-1 hover:text-fg ${className}`}
      >
        <Kbd>?</Kbd>
        {bare ? <span className="sr-only">{t("all")}</span> : t("all")}
      </button>
      <dialog
        ref={dialog}
        closedby="any"
        aria-labelledby="keys-title"
        className="dialog w-105 max-w-[92vw] text-12 text-fg"
      >
        <div className="flex items-center justify-between border-line border-b py-2 pr-2 pl-4">
          <h2 id="keys-title" className="text-13 font-semibold">
            {t("title")}
          </h2>
          <Button variant="ghost" square aria-label={t("close")} onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </Button>
        </div>
        <div className="flex flex-col gap-4 px-4 pt-3 pb-4">
          {[...PAGE_KEYS[page], EVERYWHERE].map((group) => (
            <section key={group.title}>
              <h3 className="pb-1 text-11 text-fg-3">{text(group.title)}</h3>
              <dl className="grid grid-cols-[104px_1fr] gap-x-4">
                {print(group.lines).map(({ keys, does }) => (
                  <div key={does} className="col-span-2 grid min-h-6.5 phone:min-h-11 grid-cols-subgrid items-center">
                    <dt className="flex gap-1">
                      {keys.map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </dialog>
    </>
  );
}
