import enCommon from "@/messages/en/common.json";
import enEvents from "@/messages/en/events.json";
import enGraph from "@/messages/en/graph.json";
import enInspector from "@/messages/en/inspector.json";
import enList from "@/messages/en/list.json";
import enReference from "@/messages/en/reference.json";
import enStudio from "@/messages/en/studio.json";
import enThread from "@/messages/en/thread.json";
import enTimeline from "@/messages/en/timeline.json";
import ruCommon from "@/messages/ru/common.json";
import ruEvents from "@/messages/ru/events.json";
import ruGraph from "@/messages/ru/graph.json";
import ruInspector from "@/messages/ru/inspector.json";
import ruList from "@/messages/ru/list.json";
import ruReference from "@/messages/ru/reference.json";
import ruStudio from "@/messages/ru/studio.json";
import ruThread from "@/messages/ru/thread.json";
import ruTimeline from "@/messages/ru/timeline.json";
import type { Locale } from "./locales.ts";

const en = {
  common: enCommon,
  events: enEvents,
  graph: enGraph,
  inspector: enInspector,
  list: enList,
  reference: enReference,
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
  reference: ruReference,
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
