"use client";

import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";

interface FilterMenuProps<T extends string> {
  /** What it filters by. */
  name: string;
  /** How no choice reads: "Any channel". */
  any: string;
  /** The chosen value; empty is any. */
  value: T | "";
  options: readonly { value: T; label: string }[];
  onChange: (value: T | "") => void;
  id?: string;
  shortcut?: string;
}

/** One filter: its name, what it is set to, and a menu to set it. */
export function FilterMenu<T extends string>({
  name,
  any,
  value,
  options,
  onChange,
  id,
  shortcut,
}: FilterMenuProps<T>) {
  const chosen = options.find((option) => option.value === value)?.label ?? value;
  const look = value
    ? "border-accent-line bg-accent-soft text-accent"
    : "border-line-strong text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-active aria-expanded:text-fg";
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
    </Menu>
  );
}
