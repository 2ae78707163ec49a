"use client";

import { type KeyboardEvent, useId, useState } from "react";

interface Listbox {
  /** The index that Enter selects; -1 for none. */
  active: number;
  setActive: (index: number) => void;
  /** Makes the first option active, also when the options change. */
  reset: () => void;
  /** Props of the text field. */
  field: {
    role: "combobox";
    "aria-expanded": boolean;
    "aria-controls": string;
    "aria-activedescendant": string | undefined;
    "aria-autocomplete": "list";
    onKeyDown: (event: KeyboardEvent) => void;
  };
  listId: string;
  optionId: (index: number) => string;
}

/**
 * A combobox: a list below a text field that keeps the focus. `keys` identify the options, so that the active one stays
 * active when others are inserted; the first is active initially, and when the active one disappears, the one in its
 * place.
 */
export function useListbox(keys: readonly string[], onChoose: (index: number) => void): Listbox {
  const id = useId();
  const [wanted, setWanted] = useState<{ key: string; index: number } | null>(null);
  const count = keys.length;
  const active = indexOf(keys, wanted);
  const setActive = (index: number) => {
    const key = keys[index];
    if (key !== undefined) setWanted({ key, index });
  };
  const optionId = (index: number) => `${id}-${index}`;
  const move = (to: number) => {
    setActive(to);
    document.getElementById(optionId(to))?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (count === 0 || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case "ArrowDown":
        move((active + 1) % count);
        break;
      case "ArrowUp":
        move((active - 1 + count) % count);
        break;
      case "PageDown":
        move(Math.min(count - 1, active + 8));
        break;
      case "PageUp":
        move(Math.max(0, active - 8));
        break;
      case "Enter":
        onChoose(active);
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return {
    active,
    setActive,
    reset: () => setWanted(null),
    field: {
      role: "combobox",
      "aria-expanded": count > 0,
      "aria-controls": `${id}-list`,
      "aria-activedescendant": active >= 0 ? optionId(active) : undefined,
      "aria-autocomplete": "list",
      onKeyDown,
    },
    listId: `${id}-list`,
    optionId,
  };
}

function indexOf(keys: readonly string[], wanted: { key: string; index: number } | null): number {
  if (wanted === null) return Math.min(0, keys.length - 1);
  const index = keys.indexOf(wanted.key);
  return index === -1 ? Math.min(wanted.index, keys.length - 1) : index;
}
