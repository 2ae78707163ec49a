import type { Locale } from "../session/locale.ts";
import { linesOf, type OutgoingNotice, restOf } from "./message.ts";

/** How a text is written. */
export interface Script {
  locale: Locale;
  timezone: string;
}

/** Notices told one by one in a text: what a person reads before they open the page. */
const MOST_READ = 10;

/** A message as plain text, without its subject. */
export function plainText(told: OutgoingNotice, script: Script): string {
  const shown = shorten(told);
  const parts = [
    ...(shown.text === null ? [] : [shown.text]),
    ...shown.notices.map((notice) => [...linesOf(notice, script), notice.link].join("\n")),
    ...lastLine(shown, script, (link) => link),
  ];
  return parts.join("\n\n");
}

/** The same for e-mail programs. */
export function html(told: OutgoingNotice, script: Script): string {
  const shown = shorten(told);
  const parts = [
    `<h1 style="font-size:18px">${escaped(shown.subject)}</h1>`,
    ...(shown.text === null ? [] : [`<p>${escaped(shown.text)}</p>`]),
    ...shown.notices.map((notice) => {
      const [first = "", ...lines] = linesOf(notice, script);
      return `<p>${[`<a href="${escaped(notice.link)}"><b>${escaped(first)}</b></a>`, ...lines.map(escaped)].join("<br>")}</p>`;
    }),
    ...lastLine(shown, script, (link) => `<a href="${escaped(link)}">${escaped(link)}</a>`).map(
      (line) => `<p>${line}</p>`,
    ),
  ];
  return `<!doctype html><html lang="${script.locale}"><body style="font-family:sans-serif;line-height:1.5">${parts.join("")}</body></html>`;
}

function shorten(told: OutgoingNotice): OutgoingNotice {
  return { ...told, notices: told.notices.slice(0, MOST_READ) };
}

/** How many more there are, and where all are. One alone has its own link. */
function lastLine(shown: OutgoingNotice, { locale }: Script, linked: (link: string) => string): string[] {
  const rest = restOf(shown, locale);
  if (rest !== null) return [`${rest}: ${linked(shown.link)}`];
  return shown.notices.length === 1 ? [] : [linked(shown.link)];
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
