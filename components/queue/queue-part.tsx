"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { callApi } from "@/components/client/api.ts";
import { Fact, Part } from "@/components/inspector/part.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";
import type { Conversation } from "@/lib/api/shapes.ts";
import { isResolved, LONGEST_TAG, type QueueChange, UNTOUCHED } from "@/lib/queue/queue.ts";
import { Avatar } from "./avatar.tsx";
import { dueTimes } from "./due.ts";
import { DueTime } from "./due-time.tsx";
import { OwnerMenu } from "./owner-menu.tsx";
import { useChangeQueue, useQueue } from "./use-queue.ts";

const TRIGGER =
  "inline-flex min-h-6 phone:min-h-11 min-w-0 items-center gap-1.5 rounded-1 px-1 -mx-1 hover:bg-hover aria-expanded:bg-active";

/** Who cares for the conversation, until when, and its tags. */
export function QueuePart({ conversationId }: { conversationId: string }) {
  const t = useTranslations("queue");
  const queue = useQueue();
  const mayChange = useHasPermission("operate");
  const { mutate, error } = useChangeQueue();
  const { data } = useQuery({
    queryKey: ["conversation", conversationId, "queue"],
    queryFn: ({ signal }) =>
      callApi<Conversation>(`/api/conversations/${encodeURIComponent(conversationId)}`, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  const item = data?.queue ?? UNTOUCHED;
  const isDone = data !== undefined && isResolved(item, data.updated_at);
  const now = Date.now();
  const isAsleep = item.snoozed_until !== null && Date.parse(item.snoozed_until) > now;
  const change = (one: QueueChange) => mutate({ ids: [conversationId], change: one });
  const owner =
    item.assignee === null ? (
      <span className="text-fg-3">{t("nobody")}</span>
    ) : (
      <>
        <Avatar name={item.assignee} own={item.assignee === queue?.me} />
        <span className="truncate">{item.assignee === queue?.me ? t("you") : item.assignee}</span>
      </>
    );
  const due =
    item.due_at === null ? <span className="text-fg-3">{t("due.none")}</span> : <DueTime at={item.due_at} now={now} />;
  const snoozed =
    isAsleep && item.snoozed_until !== null ? (
      <DueTime at={item.snoozed_until} now={now} />
    ) : (
      <span className="text-fg-3">{t("snooze.none")}</span>
    );
  return (
    <Part
      title={t("title")}
      aside={
        <RequirePermission permission="operate" otherwise="nothing">
          <Button disabled={!data} onClick={() => change({ resolved: !isDone })} className="phone:h-11">
            {!isDone && <Icon name="check" size={14} />}
            {t(isDone ? "reopen" : "resolve")}
          </Button>
        </RequirePermission>
      }
    >
      <dl className="grid grid-cols-[minmax(92px,max-content)_minmax(0,1fr)] gap-x-2">
        <Fact label={t("owner")}>
          {mayChange ? (
            <OwnerMenu
              queue={queue}
              assignee={item.assignee}
              label={t("assign_to", { name: item.assignee ?? t("nobody") })}
              trigger={
                <>
                  {owner}
                  <Icon name="down" size={12} />
                </>
              }
              className={TRIGGER}
              onChoose={(assignee) => change({ assignee })}
            />
          ) : (
            owner
          )}
        </Fact>
        <Fact label={t("due.title")}>
          {mayChange ? (
            <Menu
              trigger={
                <>
                  {due}
                  <Icon name="down" size={12} />
                </>
              }
              className={TRIGGER}
            >
              {dueTimes(now).map(({ key, at }) => (
                <MenuItem key={key} onSelect={() => change({ due_at: at })}>
                  {t(`due.${key}`)}
                </MenuItem>
              ))}
              <MenuSeparator />
              <MenuItem disabled={item.due_at === null} onSelect={() => change({ due_at: null })}>
                {t("due.none")}
              </MenuItem>
            </Menu>
          ) : (
            due
          )}
        </Fact>
        <Fact label={t("tags")}>
          {item.tags.map((tag) => (
            <span key={tag} className="inline-flex min-w-0 items-center rounded-1 bg-active pl-1.5 text-11 text-fg-2">
              <span className="truncate">{tag}</span>
              {mayChange ? (
                <button
                  type="button"
                  aria-label={t("remove_tag", { tag })}
                  onClick={() => change({ remove_tags: [tag] })}
                  className="inline-flex size-6 phone:size-11 items-center justify-center rounded-1 hover:bg-hover hover:text-fg"
                >
                  <Icon name="close" size={12} />
                </button>
              ) : (
                <span className="w-1.5" />
              )}
            </span>
          ))}
          {mayChange && <TagField tags={queue?.tags ?? []} onAdd={(tag) => change({ add_tags: [tag] })} />}
        </Fact>
        {(mayChange || isAsleep) && (
          <Fact label={t("snooze.title")}>
            {mayChange ? (
              <Menu
                trigger={
                  <>
                    {snoozed}
                    <Icon name="down" size={12} />
                  </>
                }
                className={TRIGGER}
              >
                {dueTimes(now).map(({ key, at }) => (
                  <MenuItem key={key} onSelect={() => change({ snoozed_until: at })}>
                    {t(`due.${key}`)}
                  </MenuItem>
                ))}
                <MenuSeparator />
                <MenuItem disabled={!isAsleep} onSelect={() => change({ snoozed_until: null })}>
                  {t("snooze.end")}
                </MenuItem>
              </Menu>
            ) : (
              snoozed
            )}
          </Fact>
        )}
      </dl>
      {error && (
        <p role="alert" className="pt-1 text-st-failed">
          {error.message}
        </p>
      )}
    </Part>
  );
}

/** A field for a tag, with the tags in use to choose from. */
export function TagField({ tags, onAdd }: { tags: readonly string[]; onAdd: (tag: string) => void }) {
  const t = useTranslations("queue");
  const [text, setText] = useState("");
  const list = useId();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onAdd(text.trim());
        setText("");
      }}
    >
      <input
        list={list}
        value={text}
        maxLength={LONGEST_TAG}
        aria-label={t("add_tag")}
        placeholder={t("add_tag")}
        onChange={(event) => setText(event.target.value)}
        className="h-6 phone:h-11 w-28 phone:w-40 rounded-1 border border-line-control bg-canvas px-1.5 text-fg placeholder:text-fg-3"
      />
      <datalist id={list}>
        {tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </form>
  );
}
