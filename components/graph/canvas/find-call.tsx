"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import type { PlacedNode } from "../layout/layout.ts";
import { useShowNode } from "./use-show-node.ts";

interface FindCallProps {
  nodes: readonly PlacedNode[];
  /** Called with the ids of matching nodes; empty when the search is closed. */
  onFound: (ids: ReadonlySet<string>) => void;
}

/** Finds calls of a plan by tool, id or path. */
export function FindCall({ nodes, onFound }: FindCallProps) {
  const show = useShowNode();
  return (
    <FindField
      search={(query) => nodes.filter((placed) => matchesQuery(placed, query))}
      onFound={(found) => onFound(new Set(found.map(({ node }) => node.id)))}
      show={(placed) => void show(placed)}
    />
  );
}

interface FindFieldProps<T> {
  search: (query: string) => readonly T[];
  /** Called with what matches; empty when the search is closed. */
  onFound: (found: readonly T[]) => void;
  show: (one: T) => void;
}

/** A search field behind a button: matches are marked, Enter goes to the next one. */
export function FindField<T>({ search: find, onFound, show }: FindFieldProps<T>) {
  const t = useTranslations("graph");
  const [query, setQuery] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const matches = query ? find(query) : [];

  const search = (next: string | null) => {
    const found = next ? find(next) : [];
    setQuery(next);
    setAt(0);
    onFound(found);
    if (found[0]) show(found[0]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") search(null);
    if (event.key !== "Enter" || matches.length === 0) return;
    const next = (at + (event.shiftKey ? -1 : 1) + matches.length) % matches.length;
    setAt(next);
    const match = matches[next];
    if (match) show(match);
  };

  if (query === null)
    return (
      <Tooltip text={t("find")}>
        <Button variant="ghost" square aria-label={t("find")} onClick={() => search("")}>
          <Icon name="search" />
        </Button>
      </Tooltip>
    );
  return (
    <search className="pg-find">
      <Icon name="search" size={14} />
      <input
        type="search"
        // biome-ignore lint/a11y/noAutofocus: it stands where its button was pressed
        autoFocus
        value={query}
        placeholder={t("find")}
        aria-label={t("find")}
        onChange={(event) => search(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => query === "" && search(null)}
      />
      {query !== "" && (
        <output className="pg-find-count">
          {t("findCount", { at: matches.length === 0 ? 0 : at + 1, count: matches.length })}
        </output>
      )}
      <Button variant="ghost" square aria-label={t("findClose")} onClick={() => search(null)}>
        <Icon name="close" size={12} />
      </Button>
    </search>
  );
}

function matchesQuery({ node }: PlacedNode, query: string): boolean {
  const wanted = query.toLowerCase();
  const texts = (node.chain ?? [node]).flatMap(({ call, box }) => [
    call.tool,
    call.id,
    ...box.pills.map(({ path }) => path),
    ...box.outputs.map(({ path }) => path),
  ]);
  return texts.some((text) => text.toLowerCase().includes(wanted));
}
