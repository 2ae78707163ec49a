"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { CopyButton } from "./copy-button.tsx";
import { type JsonRow, type RowKind, type RowMark, textOf } from "./json-rows.ts";

interface JsonTreeRowProps {
  id: string;
  row: JsonRow;
  prefix: string;
  mark: RowMark | null;
  aside: ReactNode;
  /** The row matches the search; it is the current match or another. */
  hit: "current" | "other" | null;
  isActive: boolean;
  isSelected: boolean;
  onToggle: () => void;
  onPick: () => void;
  /** Content below the line. */
  children: ReactNode;
}

const INK: Record<RowKind, string> = {
  object: "text-fg-3",
  array: "text-fg-3",
  text: "text-k-tool",
  number: "text-k-model",
  boolean: "text-k-model",
  null: "text-fg-3",
  cited: "text-fg-3",
};

const HIT = {
  other: "bg-mark text-mark-fg",
  current: "bg-mark text-mark-fg",
} as const;

const GROUND = { add: "bg-add-bg", change: "bg-chg-bg" } as const satisfies Record<RowMark, string>;
const SIGN = { add: "+", change: "~" } as const satisfies Record<RowMark, string>;
const SIGN_INK = { add: "text-add", change: "text-chg" } as const satisfies Record<RowMark, string>;

/** A row of a JSON tree. */
export function JsonTreeRow({
  id,
  row,
  prefix,
  mark,
  aside,
  hit,
  isActive,
  isSelected,
  onToggle,
  onPick,
  children,
}: JsonTreeRowProps) {
  const t = useTranslations("inspector.tree");
  // Buttons are rendered on hover: they would be half of the tree's elements.
  const [wasPointedAt, setPointedAt] = useState(false);
  const ground =
    isSelected || hit === "current"
      ? "bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]"
      : mark
        ? GROUND[mark]
        : "hover:bg-hover";
  const active = isActive ? "group-focus-visible/tree:outline-2 -outline-offset-2 outline-accent" : "";
  const key = row.path.at(-1);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active row
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.expandable ? row.expanded : undefined}
      aria-selected={isSelected}
      onPointerEnter={() => setPointedAt(true)}
      className={`group/row relative cursor-default ${ground} ${active}`}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a pointer's way; the tree listens to the keys */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div
        onClick={onPick}
        className="flex h-5 phone:h-11 items-center pr-3 whitespace-nowrap"
        style={{ paddingInlineStart: 16 + row.depth * 14 }}
      >
        {mark && (
          <span className={`absolute left-1 w-2.5 text-center font-bold ${SIGN_INK[mark]}`}>
            <span aria-hidden>{SIGN[mark]}</span>
            <span className="sr-only">{t(mark)}</span>
          </span>
        )}
        <span className="inline-flex w-3.5 flex-none text-fg-3">
          {row.expandable && (
            <button
              type="button"
              tabIndex={-1}
              aria-hidden
              onClick={(event) => {
                event.stopPropagation();
                onToggle();
              }}
              className="inline-flex h-5 phone:z-1 phone:-mx-3.75 phone:h-11 phone:w-11 items-center phone:justify-center phone:[position:relative]"
            >
              <Icon name={row.expanded ? "down" : "right"} size={12} />
            </button>
          )}
        </span>
        {key !== undefined && (
          <span
            data-hit={hit ?? undefined}
            className={`max-w-[60%] flex-none truncate ${hit ? HIT[hit] : isSelected ? "font-semibold text-accent" : "text-fg"}`}
          >
            {key}
            {!(row.expanded && row.size > 0) && <span className="pr-1.25 font-normal text-fg-3">:</span>}
          </span>
        )}
        <span className={`min-w-0 truncate ${hit ? HIT[hit] : INK[row.kind]}`}>
          {row.expanded ? "" : <Brief row={row} />}
        </span>
        <span className="ml-auto flex max-w-[55%] flex-none pl-2 font-sans text-fg-3 group-hover/row:hidden">
          <span className="min-w-0 truncate">{aside}</span>
        </span>
        {wasPointedAt && (
          <span className="ml-auto hidden flex-none items-center gap-0.5 pl-2 group-hover/row:flex">
            <CopyButton text={() => prefix + row.id} label={t("copyPath")} icon="share" tabIndex={-1} />
            <CopyButton text={() => textOf(row.value)} label={t("copyValue")} tabIndex={-1} />
          </span>
        )}
      </div>
      {row.expanded && typeof row.value === "string" && <WholeText text={row.value} depth={row.depth} />}
      {children}
    </div>
  );
}

/** A value in the rest of a line. */
function Brief({ row: { value, kind, size } }: { row: JsonRow }) {
  switch (kind) {
    case "object":
      return `{${size}}`;
    case "array":
      return `[${size}]`;
    case "cited":
      return "…";
    case "text":
    case "number":
    case "boolean":
    case "null":
      return JSON.stringify(value);
    default:
      return kind satisfies never;
  }
}

function WholeText({ text, depth }: { text: string; depth: number }) {
  return (
    <p
      className="pr-3 pb-1 font-sans text-12 leading-[var(--lh-body)] whitespace-pre-wrap text-fg select-text wrap-anywhere"
      style={{ paddingInlineStart: 30 + depth * 14 }}
    >
      {text}
    </p>
  );
}
