import type { Notice, NoticeMessage } from "../../db/notices.ts";
import { addressOf } from "../alert-rules/address.ts";
import type { Locale } from "../session/locale.ts";
import { WORDS } from "./words.ts";

/** A notification in a message, without content of conversations unless configured. */
export interface NoticeLine {
  /** The same for each time that it is sent. */
  id: string;
  kind: Notice["kind"];
  /** Null for an alert rule. */
  conversation_id: string | null;
  agent_id: string | null;
  since: string;
  /** 0, or the number of the reminder. */
  reminder: number;
  /** The action to approve, with its tool's description; null for an alert. */
  action: { name: string; description: string | null } | null;
  /** Who is mentioned, and by whom; null for what is asked. */
  mention: { names: string[]; by: string | null } | null;
  /** The alert rule that fires; null for all else. */
  rule: (Omit<NonNullable<Notice["rule"]>, "from" | "at" | "ended"> & { lasted_ms?: number }) | null;
  /** Its description, if content may be sent. */
  text: string | null;
  /** The conversation's title, likewise. */
  title: string | null;
  /** The URL of the confirmation, of the alert's conversation, or of exactly what an alert rule counted. */
  link: string;
}

/** A message of a channel. */
export interface OutgoingNotice {
  id: string;
  type: "awaiting" | "test";
  /** On one line. */
  subject: string;
  /** The text of a test, instead of notifications. */
  text: string | null;
  notices: NoticeLine[];
  counts: NoticeMessage["counts"];
  /** The URL of the list. */
  link: string;
}

/** How notifications are formatted. */
export interface Manner {
  locale: Locale;
  /** The time zone in texts. */
  timezone: string;
  /** `https://obelus.example.org` */
  address: string;
  /** Includes content of conversations. */
  content: boolean;
  /** A tool's registered description; null without one. */
  describe(method: string): string | null;
}

/** Formats a message. */
export function tell({ id, notices, counts }: NoticeMessage, manner: Manner): OutgoingNotice {
  return {
    ...{ id, type: "awaiting", text: null, counts },
    subject: WORDS[manner.locale].subject({
      ...counts,
      ended: notices.filter(({ rule }) => rule?.ended !== undefined).length,
    }),
    notices: notices.map((notice) => tellOne(notice, manner)),
    link: `${manner.address}${placeOf(counts)}`,
  };
}

/** A test message. */
export function testMessage(id: string, { locale, address }: Manner): OutgoingNotice {
  const { test, testText } = WORDS[locale];
  const counts = { confirmation: 0, alert: 0, mention: 0, rule: 0 };
  return { ...{ id, type: "test", subject: test, text: testText, counts, notices: [] }, link: `${address}/approvals` };
}

/** The list in which most of it is. */
function placeOf({ confirmation, alert, rule }: NoticeMessage["counts"]): string {
  if (rule > 0) return "/alert-rules";
  if (confirmation > 0) return "/approvals";
  return alert > 0 ? "/approvals/alerts" : "/";
}

function tellOne(notice: Notice, { address, content, describe }: Manner): NoticeLine {
  const { kind, id, number, conversation_id, title, agent_id, since, method, text, mention, rule } = notice;
  return {
    ...{ id: `${kind}:${id}:${number}`, kind, conversation_id, agent_id, since, reminder: Math.max(0, number) },
    action: method === null ? null : { name: method, description: describe(method) },
    mention: mention ? { names: mention.names, by: mention.by } : null,
    rule: rule
      ? {
          ...{ id: rule.id, name: rule.name, condition: rule.condition, value: rule.value, count: rule.count },
          ...(rule.ended !== undefined && { lasted_ms: rule.ended - rule.at }),
        }
      : null,
    text: content ? text : null,
    title: content ? title : null,
    link: `${address}${pathOf(notice)}`,
  };
}

function pathOf({ kind, id, conversation_id, mention, rule }: Notice): string {
  if (rule) return addressOf(rule.condition, rule.from, rule.ended ?? rule.at);
  if (kind === "confirmation") return `/approvals?${new URLSearchParams({ selected: id })}`;
  return `/conversations/${encodeURIComponent(conversation_id ?? "")}${mention ? reviewOf(mention.seq) : ""}`;
}

/** The tab with the notes, at their step. */
function reviewOf(seq: number | null): string {
  return `?tab=review${seq === null ? "" : `&at=${seq}`}`;
}

/** The lines of a notification, without its link. */
export function linesOf(notice: NoticeLine, { locale, timezone }: Pick<Manner, "locale" | "timezone">): string[] {
  const words = WORDS[locale];
  const { action, mention, rule, title, text, agent_id, conversation_id, since, reminder } = notice;
  const asked = action ? [action.name, action.description].filter(Boolean).join(": ") : words.manager;
  const fired = rule && (rule.lasted_ms === undefined ? words.fires(rule) : words.ended(rule.name, rule.lasted_ms));
  const what = fired !== null ? fired : mention ? words.mentioned(mention) : asked;
  const where = [
    ...(agent_id === null ? [] : [`${words.agent} ${agent_id}`]),
    ...(conversation_id === null ? [] : [`${words.conversation} ${conversation_id}`]),
    `${words.since} ${timeOf(since, locale, timezone)}`,
  ];
  return [
    reminder > 0 ? `${what} (${words.reminder(reminder)})` : what,
    ...(title === null ? [] : [title]),
    ...(text === null ? [] : [text]),
    where.join(" · "),
  ];
}

/** The number of notifications that are not listed; null for none. */
export function restOf({ counts, notices }: OutgoingNotice, locale: Locale): string | null {
  const rest = counts.confirmation + counts.alert + counts.mention + counts.rule - notices.length;
  return rest > 0 ? WORDS[locale].more(rest) : null;
}

function timeOf(iso: string, locale: Locale, timeZone: string): string {
  const date = new Intl.DateTimeFormat(locale, {
    ...{ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
    ...{ timeZone, timeZoneName: "short" },
  });
  return date.format(new Date(iso));
}
