import type { Locale } from "../session/locale.ts";
import { linesOf, type OutgoingNotice, restOf } from "./message.ts";

/** The format of a text. */
export interface Script {
  locale: Locale;
  timezone: string;
}

/** How many notifications a text lists. */
const MOST_READ = 10;

/** A message as plain text, without its subject. */
export function plainText(outgoing: OutgoingNotice, script: Script): string {
  const shown = shorten(outgoing);
  const parts = [
    ...(shown.text === null ? [] : [shown.text]),
    ...shown.notices.map((notice) => [...linesOf(notice, script), notice.link].join("\n")),
    ...lastLine(shown, script, (link) => link),
  ];
  return parts.join("\n\n");
}

/** A message as HTML, for e-mail. */
export function html(outgoing: OutgoingNotice, script: Script): string {
  const shown = shorten(outgoing);
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

function shorten(outgoing: OutgoingNotice): OutgoingNotice {
  return { ...outgoing, notices: outgoing.notices.slice(0, MOST_READ) };
}

/** The number of further ones, and the link to the list. A single one has its own link. */
function lastLine(shown: OutgoingNotice, { locale }: Script, linked: (link: string) => string): string[] {
  const rest = restOf(shown, locale);
  if (rest !== null) return [`${rest}: ${linked(shown.link)}`];
  return shown.notices.length === 1 ? [] : [linked(shown.link)];
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
