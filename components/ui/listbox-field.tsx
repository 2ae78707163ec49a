"use client";

import type { useListbox } from "./use-listbox.ts";

interface ListboxFieldProps {
  list: ReturnType<typeof useListbox>;
  /** Its accessible name and its placeholder. */
  label: string;
  value: string;
  onType: (text: string) => void;
  className: string;
}

/** The text field of a combobox that is opened to be typed into. Typing makes the first option active. */
export function ListboxField({ list, label, value, onType, className }: ListboxFieldProps) {
  return (
    <input
      ref={focusWhenShown}
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      value={value}
      {...list.field}
      onChange={({ target }) => {
        onType(target.value);
        list.reset();
      }}
      className={`outline-none focus-visible:shadow-none ${className}`}
    />
  );
}

/** In a popover that is not shown yet, the browser focuses it with the popover. React sets no such attribute. */
function focusWhenShown(field: HTMLInputElement | null): void {
  field?.setAttribute("autofocus", "");
}
