"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { printedKey } from "@/components/keys/shortcuts.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { rowAt } from "@/lib/session/timeline/timeline.ts";
import { BookmarkLine } from "./bookmark-line.tsx";
import type { BookmarkPanel } from "./use-bookmark-panel.ts";

/** A button for the current step's bookmark, and the list of all bookmarks (C5). */
export function BookmarksPanel({ panel, model }: { panel: BookmarkPanel; model: TimelineModel }) {
  const t = useTranslations("timeline.bookmarks");
  const id = useId();
  const at = useStudio((state) => state.at);
  const { bookmarks, editing } = panel;
  const isMarked = bookmarks.all.some(({ seq }) => seq === at);
  const name = bookmarks.all.length === 0 ? t("title") : t("count", { count: bookmarks.all.length });
  return (
    <>
      <Tooltip text={t("title")} shortcut={printedKey("bookmark")}>
        <button
          ref={panel.opener}
          type="button"
          popoverTarget={id}
          aria-label={name}
          aria-keyshortcuts={printedKey("bookmark")}
          className={`inline-flex h-(--control) min-w-(--control) flex-none items-center justify-center gap-1 rounded-2 px-1.5 tabular-nums hover:bg-hover ${isMarked ? "text-accent" : "text-fg-2"}`}
        >
          <Icon name={isMarked ? "bookmarked" : "bookmark"} size={14} />
          {bookmarks.all.length > 0 && bookmarks.all.length}
        </button>
      </Tooltip>
      <div
        ref={panel.popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t("title")}
        onToggle={(event) => event.newState === "closed" && panel.edit(null)}
        className="menu menu-end w-80"
      >
        <header className="flex items-center gap-2 px-2 pt-1 pb-1.5">
          <h3 className="font-semibold">{t("title")}</h3>
          <span className="flex-1" />
          {!isMarked && at > 0 && (
            <RequirePermission permission="operate">
              <Button onClick={panel.mark}>
                <Icon name="plus" size={14} />
                {t("add", { step: at })}
              </Button>
            </RequirePermission>
          )}
        </header>
        {bookmarks.failure !== null && (
          <p role="alert" className="px-2 pb-1 text-st-failed">
            {bookmarks.failure}
          </p>
        )}
        {bookmarks.all.length === 0 ? (
          <p className="px-2 pb-2 text-fg-3">{t("empty")}</p>
        ) : (
          <ol>
            {bookmarks.all.map((bookmark) => (
              <BookmarkLine
                key={bookmark.seq}
                bookmark={bookmark}
                type={rowAt(model.rows, bookmark.seq)?.type ?? ""}
                isHere={bookmark.seq === at}
                isEdited={bookmark.seq === editing}
                panel={panel}
              />
            ))}
          </ol>
        )}
      </div>
    </>
  );
}
