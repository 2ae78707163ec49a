"use client";

import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type ToggleEvent,
  useCallback,
  useId,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { Icon } from "./icon.tsx";

interface MenuProps {
  /** The button's content. */
  trigger: ReactNode;
  /** The button's accessible name, if its content is not enough. */
  label?: string;
  /** The button's classes. */
  className?: string;
  /** Which edge of the button the menu aligns with. */
  align?: "start" | "end";
  /** The button's shortcut, for assistive technology; the page handles it. */
  shortcut?: string;
  id?: string;
  /** `MenuItem`s and `MenuSeparator`s. */
  children: ReactNode;
}

const items = (menu: HTMLElement) => [
  ...menu.querySelectorAll<HTMLElement>("[role^=menuitem]:not([aria-disabled=true])"),
];

/** The item to which a key moves; null for other keys. */
function target(key: string, all: readonly HTMLElement[], from: number): HTMLElement | null | undefined {
  switch (key) {
    case "ArrowDown":
      return all[(from + 1) % all.length];
    case "ArrowUp":
      return all.at(from <= 0 ? -1 : from - 1);
    case "Home":
      return all[0];
    case "End":
      return all.at(-1);
    default: {
      if (key.length !== 1 || key === " ") return null;
      const letter = key.toLowerCase();
      const next = [...all.slice(from + 1), ...all.slice(0, from + 1)];
      return next.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter));
    }
  }
}

/**
 * A menu button: a native popover, arrow keys and first letters to move, Escape to close. Items are rendered on first
 * open, because a run menu has hundreds.
 */
export function Menu({ trigger, label, className = "", align = "start", shortcut, id, children }: MenuProps) {
  const popoverId = useId();
  const [open, setOpen] = useState(false);
  const [isMade, setMade] = useState(false);

  // It may have been opened before hydration.
  const attach = useCallback((element: HTMLDivElement | null) => {
    if (element?.matches(":popover-open")) setMade(true);
  }, []);

  return (
    <>
      <button
        type="button"
        id={id}
        popoverTarget={popoverId}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        className={className}
      >
        {trigger}
      </button>
      <MenuPopover
        ref={attach}
        id={popoverId}
        onBeforeToggle={({ newState }) => {
          if (newState === "open") flushSync(() => setMade(true));
        }}
        onOpen={setOpen}
        className={align === "end" ? "menu-end" : ""}
      >
        {isMade && children}
      </MenuPopover>
    </>
  );
}

interface ContextMenuProps {
  label: string;
  /** Where it opens, px of the window. */
  at: { x: number; y: number };
  onClose: () => void;
  /** `MenuItem`s and `MenuSeparator`s. */
  children: ReactNode;
}

/** A menu at a point, open as long as it is rendered. */
export function ContextMenu({ label, at, onClose, children }: ContextMenuProps) {
  const anchorName = `--menu-${useId().replaceAll(/[^\w-]/g, "")}`;
  // The outside system is the browser's layer of popovers.
  const show = useCallback((element: HTMLDivElement | null) => element?.showPopover(), []);
  return (
    <>
      <span aria-hidden="true" className="fixed" style={{ left: at.x, top: at.y, anchorName }} />
      <MenuPopover
        ref={show}
        label={label}
        style={{ positionAnchor: anchorName }}
        onOpen={(opened) => {
          if (!opened) onClose();
        }}
      >
        {children}
      </MenuPopover>
    </>
  );
}

interface MenuPopoverProps {
  ref: Ref<HTMLDivElement>;
  id?: string;
  label?: string;
  style?: CSSProperties;
  className?: string;
  onBeforeToggle?: (event: ToggleEvent<HTMLDivElement>) => void;
  onOpen: (opened: boolean) => void;
  children: ReactNode;
}

function MenuPopover({ label, className = "", onOpen, children, ...rest }: MenuPopoverProps) {
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    const opened = event.newState === "open";
    onOpen(opened);
    if (!opened) return;
    const all = items(event.currentTarget);
    (all.find((item) => item.ariaChecked === "true") ?? all[0])?.focus();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === "Tab") event.currentTarget.hidePopover();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = items(event.currentTarget);
    const from = all.findIndex((item) => item.matches(":focus"));
    const next = target(event.key, all, from);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    next?.focus();
  };

  return (
    <div
      {...rest}
      popover="auto"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onToggle={onToggle}
      onKeyDown={onKeyDown}
      onClick={({ currentTarget }) => currentTarget.hidePopover()}
      className={`menu ${className}`}
    >
      {children}
    </div>
  );
}

interface MenuItemProps {
  onSelect: () => void;
  /** For a choice: whether it is selected. */
  checked?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

/** An action or a value in a menu. */
export function MenuItem({ onSelect, checked, disabled = false, children }: MenuItemProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is menuitemradio whenever it has aria-checked
    <button
      type="button"
      role={checked === undefined ? "menuitem" : "menuitemradio"}
      aria-checked={checked}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onSelect}
      className="flex min-h-6.5 phone:min-h-11 w-full min-w-0 items-center gap-2 rounded-1 px-2 text-left whitespace-nowrap text-fg outline-none hover:bg-hover focus:bg-active aria-disabled:text-fg-off"
    >
      {checked !== undefined && <Icon name="check" size={14} className={checked ? "text-fg" : "invisible"} />}
      {children}
    </button>
  );
}

/** A line between groups of items. */
export function MenuSeparator() {
  return <hr className="my-1 border-line" />;
}
