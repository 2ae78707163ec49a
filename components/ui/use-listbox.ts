"use client";

import { type KeyboardEvent, useId, useState } from "react";

interface Listbox {
  /** The option that Enter chooses; -1 where there is none. */
  active: number;
  setActive: (index: number) => void;
  /** Makes the first option active, whichever comes to be the first. */
  reset: () => void;
  /** For the text field that the list belongs to. */
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
 * A list under a text field that keeps the focus: arrows move, Enter chooses. `keys` names each option, so that the active one
 * stays active where others come before it; the first is active to begin with, and where it is gone, what took its place.
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
