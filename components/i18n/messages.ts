import enCommon from "@/messages/en/common.json" with { type: "json" };
import enEvents from "@/messages/en/events.json" with { type: "json" };
import enGraph from "@/messages/en/graph.json" with { type: "json" };
import enInspector from "@/messages/en/inspector.json" with { type: "json" };
import enList from "@/messages/en/list.json" with { type: "json" };
import enStudio from "@/messages/en/studio.json" with { type: "json" };
import enThread from "@/messages/en/thread.json" with { type: "json" };
import enTimeline from "@/messages/en/timeline.json" with { type: "json" };
import ruCommon from "@/messages/ru/common.json" with { type: "json" };
import ruEvents from "@/messages/ru/events.json" with { type: "json" };
import ruGraph from "@/messages/ru/graph.json" with { type: "json" };
import ruInspector from "@/messages/ru/inspector.json" with { type: "json" };
import ruList from "@/messages/ru/list.json" with { type: "json" };
import ruStudio from "@/messages/ru/studio.json" with { type: "json" };
import ruThread from "@/messages/ru/thread.json" with { type: "json" };
import ruTimeline from "@/messages/ru/timeline.json" with { type: "json" };
import type { Locale } from "./locales.ts";

const en = {
  common: enCommon,
  events: enEvents,
  graph: enGraph,
  inspector: enInspector,
  list: enList,
  studio: enStudio,
  thread: enThread,
  timeline: enTimeline,
};

const ru = {
  common: ruCommon,
  events: ruEvents,
  graph: ruGraph,
  inspector: ruInspector,
  list: ruList,
  studio: ruStudio,
  thread: ruThread,
  timeline: ruTimeline,
};

/** The words of the console, by namespace, as the English files have them. */
export type Messages = typeof en;

const MESSAGES = { en, ru } satisfies Record<Locale, object>;

/** All words in one language. */
export function messagesOf(locale: Locale): (typeof MESSAGES)[Locale] {
  return MESSAGES[locale];
}
