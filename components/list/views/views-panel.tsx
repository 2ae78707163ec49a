"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { ListView } from "@/lib/api/shapes.ts";
import { LONGEST_VIEW_NAME } from "@/lib/queue/list-view.ts";
import { type ListState, parseFilters } from "../filters/filters.ts";
import { takeBrowserFilters } from "./browser-filters.ts";
import { isSameQuery } from "./same-query.ts";
import { useChangeViews, useViews } from "./use-views.ts";

interface ViewsPanelProps {
  /** What the list shows now, as in a view. */
  query: string;
  onChoose: (state: ListState) => void;
}

/** The views: choose, save, rename, replace, share or delete. */
export function ViewsPanel({ query, onChoose }: ViewsPanelProps) {
  const t = useTranslations("list.views");
  const views = useViews();
  const { mutate, error, isPending } = useChangeViews();
  const [editing, setEditing] = useState<string | null>(null);
  // The outside system is the browser's storage, where earlier versions saved filters.
  useEffect(() => {
    for (const filter of takeBrowserFilters(localStorage)) mutate({ view: { ...filter, shared: false } });
  }, [mutate]);
  if (!views) return null;
  const own = views.items.filter(({ owner }) => owner === views.me);
  const others = views.items.filter(({ owner }) => owner !== views.me);
  const current = views.items.find((view) => isSameQuery(view.query, query));
  const line = (view: ListView) =>
    editing === view.id ? (
      <li key={view.id}>
        <ViewForm
          label={t("rename", { name: view.name })}
          view={view}
          query={query}
          isPending={isPending}
          onSave={(saved) => mutate({ id: view.id, view: saved }, { onSuccess: () => setEditing(null) })}
        />
      </li>
    ) : (
      <ViewLine
        key={view.id}
        view={view}
        isOwn={view.owner === views.me}
        isCurrent={view === current}
        onChoose={() => onChoose(parseFilters(new URLSearchParams(view.query)))}
        onEdit={() => setEditing(view.id)}
        onDelete={() => mutate({ id: view.id, view: null })}
      />
    );
  return (
    <>
      {own.length > 0 && <Group label={t("own")}>{own.map(line)}</Group>}
      {others.length > 0 && <Group label={t("others")}>{others.map(line)}</Group>}
      {((query !== "" && !current) || views.items.length === 0) && (
        <ViewForm label={t("name")} query={query} isPending={isPending} onSave={(view) => mutate({ view })} />
      )}
      {error && (
        <p role="alert" className="p-2 text-st-failed">
          {error.message}
        </p>
      )}
    </>
  );
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="mb-1 border-line border-b pb-1 last:mb-0 last:border-b-0 last:pb-0">
      <p aria-hidden className="px-2 py-1 text-11 text-fg-3">
        {label}
      </p>
      <ul>{children}</ul>
    </section>
  );
}

interface ViewFormProps {
  label: string;
  /** The view that is changed; undefined for a new one. */
  view?: ListView;
  query: string;
  isPending: boolean;
  onSave: (view: Pick<ListView, "name" | "query" | "shared">) => void;
}

/** A view's name, whether everybody sees it, and whether it becomes what the list shows now. */
function ViewForm({ label, view, query, isPending, onSave }: ViewFormProps) {
  const t = useTranslations("list.views");
  const [name, setName] = useState(view?.name ?? "");
  const [shared, setShared] = useState(view?.shared ?? false);
  const [replaces, setReplaces] = useState(false);
  return (
    <form
      className="grid gap-1.5 p-1"
      onSubmit={(event) => {
        event.preventDefault();
        onSave({ name, shared, query: view && !replaces ? view.query : query });
      }}
    >
      <div className="flex items-center gap-1.5">
        <input
          aria-label={label}
          placeholder={t("name")}
          maxLength={LONGEST_VIEW_NAME}
          value={name}
          onChange={({ target }) => setName(target.value)}
          className="h-[var(--control)] phone:h-11 min-w-0 flex-1 rounded-2 border border-line-control bg-surface px-2 text-fg outline-none focus:border-accent"
        />
        <Button type="submit" disabled={name.trim() === "" || isPending} className="phone:h-11">
          {t("save")}
        </Button>
      </div>
      <RequirePermission permission="operate" otherwise="nothing">
        <Check checked={shared} onChange={setShared}>
          {t("share")}
        </Check>
      </RequirePermission>
      {view && query !== "" && !isSameQuery(view.query, query) && (
        <Check checked={replaces} onChange={setReplaces}>
          {t("replace")}
        </Check>
      )}
    </form>
  );
}

function Check({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <label className="flex min-h-6 phone:min-h-11 items-center gap-2 px-1 text-fg-2">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="accent-accent"
      />
      {children}
    </label>
  );
}

interface ViewLineProps {
  view: ListView;
  isOwn: boolean;
  isCurrent: boolean;
  onChoose: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

function ViewLine({
  view: { name, query, owner, shared },
  isOwn,
  isCurrent,
  onChoose,
  onEdit,
  onDelete,
}: ViewLineProps) {
  const t = useTranslations("list.views");
  const buttons = (
    <>
      <Button variant="ghost" square aria-label={t("rename", { name })} onClick={onEdit}>
        <Icon name="pencil" size={14} />
      </Button>
      <Button variant="ghost" square aria-label={t("delete", { name })} onClick={onDelete}>
        <Icon name="close" size={14} />
      </Button>
    </>
  );
  return (
    <li className="flex items-center rounded-1 hover:bg-hover">
      {/* A plain link, which can be copied or opened in a tab. */}
      <a
        href={`/?${query}`}
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
        {isOwn ? (
          shared && <span className="flex-none text-11 text-fg-3">{t("shared")}</span>
        ) : (
          <span className="flex-none text-11 text-fg-3">{owner.replace(/^[a-z]+:/, "")}</span>
        )}
      </a>
      {isOwn ? (
        buttons
      ) : (
        <RequirePermission permission="admin" otherwise="nothing">
          {buttons}
        </RequirePermission>
      )}
    </li>
  );
}
