"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useProblemText } from "@/components/format/use-problem-text.ts";
import { ListboxField } from "@/components/ui/listbox-field.tsx";
import { useListbox } from "@/components/ui/use-listbox.ts";
import type { FittingPath } from "./fitting-paths.ts";

/** More are not listed: who looks for one types. */
const SHOWN = 100;

interface PathPickerProps {
  /** The button's accessible name. */
  label: string;
  /** The button's content. */
  children: ReactNode;
  className: string;
  /** Called when it is opened. */
  paths: () => readonly FittingPath[];
  onPick: (path: string) => void;
}

/** A button with a searchable list of paths; those whose type does not fit are last, with the reason. */
export function PathPicker({ label, children, className, paths, onPick }: PathPickerProps) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-label={label}
        title={label}
        className={className}
      >
        {children}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        // Before it is shown, so that its field has the focus at once: keys typed right after would be lost.
        onBeforeToggle={({ newState }) => newState === "open" && flushSync(() => setOpen(true))}
        onToggle={({ newState }) => newState === "closed" && setOpen(false)}
        className="menu menu-end w-80 p-0!"
      >
        {isOpen && (
          <PathList
            label={label}
            paths={paths()}
            onPick={(path) => {
              popover.current?.hidePopover();
              onPick(path);
            }}
          />
        )}
      </div>
    </>
  );
}

function PathList({
  label,
  paths,
  onPick,
}: Pick<PathPickerProps, "label" | "onPick"> & { paths: readonly FittingPath[] }) {
  const t = useTranslations("playground.form");
  const textOf = useProblemText();
  const [typed, setTyped] = useState("");
  const words = typed.toLowerCase().split(/\s+/u);
  const shown = paths
    .filter(({ path, writer }) => words.every((word) => `${path} ${writer ?? ""}`.toLowerCase().includes(word)))
    .slice(0, SHOWN);
  const list = useListbox(
    shown.map(({ path }) => path),
    (index) => shown[index] && onPick(shown[index].path),
  );
  return (
    <div className="flex max-h-80 flex-col">
      <ListboxField
        list={list}
        label={t("findPath")}
        value={typed}
        onType={setTyped}
        className="h-8 flex-none border-line border-b px-2.5"
      />
      <div id={list.listId} role="listbox" aria-label={label} className="min-h-0 flex-1 overflow-y-auto p-1">
        {shown.map(({ path, type, writer, misfit }, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field, which names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div
            key={path}
            id={list.optionId(index)}
            role="option"
            aria-selected={index === list.active}
            onPointerMove={() => index !== list.active && list.setActive(index)}
            onClick={() => onPick(path)}
            className={`cursor-pointer rounded-2 px-2 py-1 ${index === list.active ? "bg-active" : ""}`}
          >
            <span className="flex items-baseline gap-2">
              <span className={`min-w-0 truncate font-mono text-11 ${misfit ? "text-fg-3" : ""}`}>{path}</span>
              <span className="ml-auto flex-none text-11 text-fg-3">{type}</span>
            </span>
            <span className="block truncate text-11 text-fg-3">
              {misfit
                ? t("misfit", { reason: textOf(misfit) })
                : writer === null
                  ? t("fromContext")
                  : t("from", { call: writer })}
            </span>
          </div>
        ))}
      </div>
      {shown.length === 0 && (
        <p role="status" className="px-3 pb-3 text-pretty text-fg-3">
          {t(paths.length === 0 ? "noPaths" : "noneFound")}
        </p>
      )}
    </div>
  );
}
