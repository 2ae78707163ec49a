import type { Notice, NoticeMessage } from "../../db/notices.ts";
import type { Locale } from "../session/locale.ts";
import { WORDS } from "./words.ts";

/** A notice as it is told: nothing of what people said unless that is wanted. */
export interface NoticeLine {
  /** The same for each time that this one is sent. */
  id: string;
  kind: Notice["kind"];
  conversation_id: string;
  agent_id: string | null;
  since: string;
  /** 0, or which reminder it is. */
  reminder: number;
  /** What is asked to be done, as its tool describes itself; null for an alert. */
  action: { name: string; description: string | null } | null;
  /** What was said of it, where that may leave the house. */
  text: string | null;
  /** The conversation's title, likewise. */
  title: string | null;
  /** Opens the very confirmation, or the conversation of the alert. */
  link: string;
}

/** What is sent by a channel. */
export interface OutgoingNotice {
  id: string;
  type: "awaiting" | "test";
  /** In one line. */
  subject: string;
  /** A text instead of notices, of a test. */
  text: string | null;
  notices: NoticeLine[];
  counts: NoticeMessage["counts"];
  /** Opens all of it. */
  link: string;
}

/** How notices are told. */
export interface Manner {
  locale: Locale;
  /** Zone of the times in texts. */
  timezone: string;
  /** `https://obelus.example.org` */
  address: string;
  /** Tells what was said, too. */
  content: boolean;
  /** What a tool does, as it is registered; null where it tells nothing. */
  describe(method: string): string | null;
}

/** A message as it is told. */
export function tell({ id, notices, counts }: NoticeMessage, manner: Manner): OutgoingNotice {
  return {
    ...{ id, type: "awaiting", text: null, counts },
    subject: WORDS[manner.locale].subject(counts),
    notices: notices.map((notice) => tellOne(notice, manner)),
    link: `${manner.address}${counts.confirmation > 0 ? "/approvals" : "/approvals/alerts"}`,
  };
}

/** A message that only shows that a channel works. */
export function tellTest(id: string, { locale, address }: Manner): OutgoingNotice {
  const { test, testText } = WORDS[locale];
  const counts = { confirmation: 0, alert: 0 };
  return { ...{ id, type: "test", subject: test, text: testText, counts, notices: [] }, link: `${address}/approvals` };
}

function tellOne(notice: Notice, { address, content, describe }: Manner): NoticeLine {
  const { kind, id, number, conversation_id, title, agent_id, since, method, text } = notice;
  const query = new URLSearchParams({ selected: id });
  return {
    ...{ id: `${kind}:${id}:${number}`, kind, conversation_id, agent_id, since, reminder: number },
    action: method === null ? null : { name: method, description: describe(method) },
    text: content ? text : null,
    title: content ? title : null,
    link:
      kind === "confirmation"
        ? `${address}/approvals?${query}`
        : `${address}/conversations/${encodeURIComponent(conversation_id)}`,
  };
}

/** The lines of one notice, without its link. */
export function linesOf(notice: NoticeLine, { locale, timezone }: Pick<Manner, "locale" | "timezone">): string[] {
  const words = WORDS[locale];
  const { action, title, text, agent_id, conversation_id, since, reminder } = notice;
  const what = action ? [action.name, action.description].filter(Boolean).join(": ") : words.manager;
  const where = [
    ...(agent_id === null ? [] : [`${words.agent} ${agent_id}`]),
    `${words.conversation} ${conversation_id}`,
    `${words.since} ${timeOf(since, locale, timezone)}`,
  ];
  return [
    reminder > 0 ? `${what} (${words.reminder(reminder)})` : what,
    ...(title === null ? [] : [title]),
    ...(text === null ? [] : [text]),
    where.join(" · "),
  ];
}

/** How many more there are than are told one by one; null for none. */
export function restOf({ counts, notices }: OutgoingNotice, locale: Locale): string | null {
  const rest = counts.confirmation + counts.alert - notices.length;
  return rest > 0 ? WORDS[locale].more(rest) : null;
}

function timeOf(iso: string, locale: Locale, timeZone: string): string {
  const date = new Intl.DateTimeFormat(locale, {
    ...{ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
    ...{ timeZone, timeZoneName: "short" },
  });
  return date.format(new Date(iso));
}
