"use client";

import { useTranslations } from "next-intl";
import { useId, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { type Filters, isFiltered, parseFilters, withFilters } from "./filters.ts";
import {
  isSameQuery,
  NAME_LENGTH,
  parseSaved,
  renamed,
  SAVED_KEY,
  type SavedFilter,
  withSaved,
} from "./saved-filters.ts";

const FIELD =
  "h-[var(--control)] min-w-0 flex-1 rounded-2 border border-line-control bg-surface px-2 text-fg outline-none focus:border-accent";

/** Saved filters: select, save, rename or delete. */
export function SavedMenu({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const t = useTranslations("list.saved");
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [saved, save] = useSavedFilters();
  const [isOpen, setOpen] = useState(false);
  const query = withFilters(new URLSearchParams(), filters);
  const current = saved.find((one) => isSameQuery(one.query, query));
  const choose = (one: SavedFilter) => {
    onChange(parseFilters(new URLSearchParams(one.query)));
    panel.current?.hidePopover();
  };
  if (saved.length === 0 && !isFiltered(filters)) return null;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-expanded={isOpen}
        className="inline-flex h-7.5 phone:h-11 flex-none items-center gap-1.25 rounded-2 border border-line-strong pr-1.75 pl-2.25 whitespace-nowrap text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-active aria-expanded:text-fg"
      >
        <Icon name="filter" size={14} />
        <span className="max-w-40 truncate">{current?.name ?? t("saved")}</span>
        <Icon name="down" size={12} />
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t("title")}
        onToggle={({ newState }) => setOpen(newState === "open")}
        className="menu w-75"
      >
        {saved.length > 0 && (
          <ul className={isFiltered(filters) && !current ? "mb-1 border-line border-b pb-1" : ""}>
            {saved.map((one) => (
              <SavedLine
                key={one.name}
                filter={one}
                isCurrent={one === current}
                onChoose={() => choose(one)}
                onRename={(name) => save(renamed(saved, one.name, name))}
                onDelete={() => save(saved.filter((other) => other !== one))}
              />
            ))}
          </ul>
        )}
        {isFiltered(filters) && !current && <NameForm onName={(name) => save(withSaved(saved, { name, query }))} />}
      </div>
    </>
  );
}

function NameForm({ onName }: { onName: (name: string) => void }) {
  const t = useTranslations("list.saved");
  const [name, setName] = useState("");
  return (
    <form
      className="flex items-center gap-1.5 p-1"
      onSubmit={(event) => {
        event.preventDefault();
        onName(name);
      }}
    >
      <input
        aria-label={t("name")}
        placeholder={t("name")}
        maxLength={NAME_LENGTH}
        value={name}
        onChange={({ target }) => setName(target.value)}
        className={FIELD}
      />
      <Button type="submit" disabled={name.trim() === ""}>
        {t("save")}
      </Button>
    </form>
  );
}

interface SavedLineProps {
  filter: SavedFilter;
  isCurrent: boolean;
  onChoose: () => void;
  onRename: (name: string) => void;
  onDelete: () => void;
}

function SavedLine({ filter: { name, query }, isCurrent, onChoose, onRename, onDelete }: SavedLineProps) {
  const t = useTranslations("list.saved");
  const [draft, setDraft] = useState<string | null>(null);
  if (draft !== null)
    return (
      <li>
        <form
          className="flex items-center gap-1.5 py-0.5 pl-1"
          onSubmit={(event) => {
            event.preventDefault();
            setDraft(null);
            onRename(draft);
          }}
        >
          <input
            // biome-ignore lint/a11y/noAutofocus: it stands where its button was pressed
            autoFocus
            aria-label={t("rename", { name })}
            maxLength={NAME_LENGTH}
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
            className={FIELD}
          />
          <Button type="submit">{t("save")}</Button>
        </form>
      </li>
    );
  return (
    <li className="flex items-center rounded-1 hover:bg-hover">
      {/* A plain link, which can be copied or opened in a tab. */}
      <a
        href={`/${query}`}
        aria-current={isCurrent || undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onChoose();
        }}
        className="flex min-h-6.5 phone:min-h-11 min-w-0 flex-1 items-center gap-2 rounded-1 px-2 text-fg"
      >
        <Icon name="check" size={14} className={isCurrent ? "text-fg" : "invisible"} />
        <span className="truncate">{name}</span>
      </a>
      <Button variant="ghost" square aria-label={t("rename", { name })} onClick={() => setDraft(name)}>
        <Icon name="pencil" size={14} />
      </Button>
      <Button variant="ghost" square aria-label={t("delete", { name })} onClick={onDelete}>
        <Icon name="close" size={14} />
      </Button>
    </li>
  );
}

const CHANGED = "obelus:filters";

function onChange(changed: () => void): () => void {
  // Other tabs send `storage`, this one its own event.
  addEventListener("storage", changed);
  addEventListener(CHANGED, changed);
  return () => {
    removeEventListener("storage", changed);
    removeEventListener(CHANGED, changed);
  };
}

function read(): string | null {
  return localStorage.getItem(SAVED_KEY);
}

function save(filters: readonly SavedFilter[]): void {
  localStorage.setItem(SAVED_KEY, JSON.stringify(filters));
  dispatchEvent(new Event(CHANGED));
}

/** The saved filters of this browser, and their setter. */
function useSavedFilters(): [readonly SavedFilter[], (filters: readonly SavedFilter[]) => void] {
  const text = useSyncExternalStore(onChange, read, () => null);
  return [useMemo(() => parseSaved(text), [text]), save];
}
