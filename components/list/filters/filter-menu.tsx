"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";

interface FilterMenuProps<T extends string> {
  /** The filter's name. */
  name: string;
  /** The label without a value: "Any channel". */
  any: string;
  /** The selected value; empty for any. */
  value: T | "";
  options: readonly { value: T; label: string }[];
  /** For values that are not listed: their number, and the setter of a typed one. */
  others?: { count: number; label?: string; onType: (value: string) => void };
  /** Leads to values that are chosen elsewhere. */
  extra?: { label: string; onSelect: () => void };
  onChange: (value: T | "") => void;
  id?: string;
  shortcut?: string;
}

/** The longest value. */
const LONGEST = 200;

/** A filter with a menu of values, or a field when there are too many for a menu. */
export function FilterMenu<T extends string>({
  name,
  any,
  value,
  options,
  others,
  extra,
  onChange,
  id,
  shortcut,
}: FilterMenuProps<T>) {
  const t = useTranslations("list.filters");
  const [isTyping, setTyping] = useState(false);
  const chosen = options.find((option) => option.value === value)?.label ?? value;
  const look = value
    ? "border-accent-line bg-accent-soft text-accent"
    : "border-line-strong text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-active aria-expanded:text-fg";
  if (isTyping && others)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget).get("value");
          if (typeof typed === "string") others.onType(typed.trim());
          setTyping(false);
        }}
      >
        <input
          // biome-ignore lint/a11y/noAutofocus: it stands where the menu was that led to it
          autoFocus
          name="value"
          aria-label={name}
          placeholder={name}
          maxLength={LONGEST}
          defaultValue={value}
          onBlur={() => setTyping(false)}
          onKeyDown={({ key }) => key === "Escape" && setTyping(false)}
          className="h-7.5 phone:h-11 w-40 rounded-2 border border-line-control bg-surface px-2 text-fg outline-none focus:border-accent"
        />
      </form>
    );
  return (
    <Menu
      id={id}
      shortcut={shortcut}
      className={`inline-flex h-7.5 phone:h-11 flex-none items-center gap-1.25 rounded-2 border pr-1.75 pl-2.25 whitespace-nowrap ${look}`}
      trigger={
        <>
          {name}
          {value && <span className="max-w-40 truncate font-medium">{chosen}</span>}
          <Icon name="down" size={12} />
        </>
      }
    >
      <MenuItem checked={value === ""} onSelect={() => onChange("")}>
        {any}
      </MenuItem>
      {options.length > 0 && <MenuSeparator />}
      {options.map((option) => (
        <MenuItem key={option.value} checked={option.value === value} onSelect={() => onChange(option.value)}>
          <span className="truncate">{option.label}</span>
        </MenuItem>
      ))}
      {others && others.count > 0 && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => setTyping(true)}>
            {/* The indent of labels beside a check mark. */}
            <span className="pl-5.5">{others.label ?? t("others", { count: others.count })}</span>
          </MenuItem>
        </>
      )}
      {extra && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={extra.onSelect}>
            <span className="pl-5.5">{extra.label}</span>
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
