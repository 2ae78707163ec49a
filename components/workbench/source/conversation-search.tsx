"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { AgoTime } from "@/components/list/now.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import type { Conversation } from "@/lib/api/shapes.ts";
import { SEARCH_ID } from "../ids.ts";
import { useConversationSearch } from "./use-conversation-search.ts";

interface ConversationSearchProps {
  onChoose: (id: string) => void;
  /** For further search fields on a page, which `/` does not focus. */
  fieldId?: string;
  /** The label, if it searches for more than conversations. */
  label?: string;
}

/** A combobox for conversations: arrow keys and Enter select, Escape closes. */
export function ConversationSearch({ onChoose, fieldId = SEARCH_ID, label }: ConversationSearchProps) {
  const t = useTranslations("workbench.source");
  const list = useId();
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [current, setCurrent] = useState(-1);
  const { found, error, isPending, isTheirs } = useConversationSearch(text, isOpen);
  const box = useRef<HTMLLabelElement>(null);
  const popover = useRef<HTMLDivElement>(null);

  const open = () => {
    const { current: source } = box;
    if (source && !popover.current?.matches(":popover-open")) popover.current?.showPopover({ source });
    setOpen(true);
  };
  const close = () => {
    popover.current?.hidePopover();
    setOpen(false);
  };
  const choose = (one: Conversation | undefined) => {
    if (one) onChoose(one.id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      open();
      setCurrent(Math.max(0, Math.min(found.length - 1, current + step)));
    } else if (event.key === "Enter" && isTheirs) choose(found[Math.max(0, current)]);
    else if (event.key === "Escape") event.currentTarget.blur();
  };
  return (
    <>
      <label
        ref={box}
        className="flex h-7.5 phone:h-11 items-center gap-1.75 rounded-2 border border-line-control bg-surface pr-1.5 pl-2 text-fg-3 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent"
      >
        <Icon name="search" />
        <input
          id={fieldId}
          role="combobox"
          aria-label={label ?? t("search")}
          aria-keyshortcuts={fieldId === SEARCH_ID ? "/" : undefined}
          aria-expanded={isOpen}
          aria-controls={list}
          aria-activedescendant={isOpen && found[current] ? `${list}${current}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          placeholder={label ?? t("search")}
          value={text}
          onFocus={open}
          onBlur={close}
          onChange={(event) => {
            setText(event.target.value);
            open();
            setCurrent(-1);
          }}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 text-fg outline-none focus-visible:shadow-none"
        />
        {fieldId === SEARCH_ID && <Kbd>/</Kbd>}
      </label>
      <div
        ref={popover}
        id={list}
        role="listbox"
        aria-label={t("found")}
        popover="manual"
        className="menu w-[anchor-size(width)] max-w-none!"
      >
        {found.map((one, index) => (
          <Found
            key={one.id}
            id={`${list}${index}`}
            conversation={one}
            current={index === current}
            onChoose={() => choose(one)}
          />
        ))}
        {found.length === 0 && (
          <p className="px-2 py-1.5 text-pretty text-fg-3">
            {error ? t("searchFailed") : isPending ? t("searching") : text.trim() === "" ? t("noneYet") : t("none")}
          </p>
        )}
      </div>
    </>
  );
}

interface FoundProps {
  id: string;
  conversation: Conversation;
  current: boolean;
  onChoose: () => void;
}

function Found({ id, conversation, current, onChoose }: FoundProps) {
  const t = useTranslations("workbench.source");
  const { user_id, message_count, updated_at } = conversation;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and hears the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={current}
      // The field keeps the focus, so that the list stays open until the click.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className="flex min-h-7 cursor-pointer items-center gap-2 rounded-1 px-2 hover:bg-hover aria-selected:bg-active"
    >
      <span className="min-w-0 flex-1 truncate text-fg">{nameOf(conversation)}</span>
      {user_id && <span className="max-w-28 truncate text-fg-3">{user_id}</span>}
      <span className="flex-none text-fg-3 tabular-nums">{t("messages", { count: message_count })}</span>
      <span className="w-16 flex-none text-right text-fg-3 tabular-nums">
        <AgoTime at={updated_at} />
      </span>
    </div>
  );
}

/** A conversation's name: its title, first words, or id. */
export function nameOf({ title, subject, id }: Conversation): string {
  return title ?? subject ?? id;
}
