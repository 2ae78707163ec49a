import "./transcript.css";
import { setImmediate as turn } from "node:timers/promises";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { Fragment, Suspense } from "react";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { MarkdownText } from "@/components/thread/message/markdown.tsx";
import { readAtOnce } from "@/lib/session/markdown.ts";
import { lengthOf, type TranscriptEntry } from "./entries.ts";
import { PrintButton } from "./print-button.tsx";
import { TranscriptDay, TranscriptTime } from "./transcript-time.tsx";

interface TranscriptProps {
  id: string;
  title: string;
  /** Details below the title: user, agent and channel. */
  facts: readonly string[];
  /** The last activity. */
  updatedAt: string;
  entries: readonly TranscriptEntry[];
  /** Omitted messages. */
  omitted: number;
}

/** A printable conversation: messages, calls and approvals with times. */
export function Transcript({ id, title, facts, updatedAt, entries, omitted }: TranscriptProps) {
  const t = useTranslations("transcript");
  const format = useFormatter();
  const messages = entries.filter(({ kind }) => kind === "message").length;
  const atOnce = readAtOnce(entries.filter(isAnswer));
  const [first, ...rest] = partsOf(entries);
  const href = `/conversations/${encodeURIComponent(id)}`;
  return (
    <div className="transcript">
      <main id="main" tabIndex={-1} className="transcript-sheet outline-none">
        <div className="transcript-tools mb-6 flex items-center gap-3">
          <a href={href} className="touch rounded-1 text-fg-2 underline underline-offset-3 hover:text-fg">
            {t("back")}
          </a>
          <span className="flex-1" />
          <PrintButton />
        </div>
        <header className="mb-5">
          <h1 className="text-20 leading-7 font-semibold text-balance wrap-anywhere">{title}</h1>
          <p className="mt-1 text-fg-2">{[...facts, t("messages", { count: messages })].join(" · ")}</p>
          <p className="mt-0.5 text-11 text-fg-3">
            <span className="font-mono wrap-anywhere">{id}</span>
            {" · "}
            {t("until")} <TranscriptTime at={updatedAt} long />
          </p>
          {omitted > 0 && <p className="mt-3 text-fg-2">{t("omitted", { count: format.number(messages), omitted })}</p>}
        </header>
        {entries.length === 0 && <p className="text-fg-2">{t("empty")}</p>}
        {first && <Part part={first} atOnce={atOnce} />}
        <Rest parts={rest} atOnce={atOnce} />
      </main>
    </div>
  );
}

/** The size of a part that renders in about 20 ms, in entries or characters. */
const MOST_IN_PART = { entries: 50, text: 50_000 };

/** The entries of a part, and the time of the entry before. */
interface TranscriptPart {
  entries: TranscriptEntry[];
  before: string | null;
}

function partsOf(entries: readonly TranscriptEntry[]): TranscriptPart[] {
  const parts: TranscriptPart[] = [];
  let room = { entries: 0, text: 0 };
  for (const [index, entry] of entries.entries()) {
    if (room.entries <= 0 || room.text <= 0) {
      parts.push({ entries: [], before: entries[index - 1]?.at ?? null });
      room = { ...MOST_IN_PART };
    }
    parts.at(-1)?.entries.push(entry);
    room.entries -= 1;
    room.text -= lengthOf(entry);
  }
  return parts;
}

/** Messages that are rendered as Markdown on the server. */
type AtOnce = ReadonlySet<TranscriptEntry>;

function Part({ part: { entries, before }, atOnce }: { part: TranscriptPart; atOnce: AtOnce }) {
  return entries.map((entry, index) => (
    <Fragment key={entry.seq}>
      <TranscriptDay at={entry.at} before={entries[index - 1]?.at ?? before} />
      <Entry entry={entry} late={!atOnce.has(entry)} />
    </Fragment>
  ));
}

/** Later parts are streamed one by one, so that other requests are served in between. */
function Rest({ parts, atOnce }: { parts: readonly TranscriptPart[]; atOnce: AtOnce }) {
  if (parts.length === 0) return null;
  return (
    <Suspense>
      <Next parts={parts} atOnce={atOnce} />
    </Suspense>
  );
}

async function Next({ parts, atOnce }: { parts: readonly TranscriptPart[]; atOnce: AtOnce }) {
  await turn();
  const [part, ...rest] = parts;
  return (
    <>
      {part && <Part part={part} atOnce={atOnce} />}
      <Rest parts={rest} atOnce={atOnce} />
    </>
  );
}

type MessageEntry = Extract<TranscriptEntry, { kind: "message" }>;

/** Agents write Markdown; other messages are plain text. */
function isAnswer(entry: TranscriptEntry): entry is MessageEntry {
  return entry.kind === "message" && entry.role === "assistant";
}

function Entry({ entry, late }: { entry: TranscriptEntry; late: boolean }) {
  if (entry.kind === "message")
    return (
      <article className="transcript-entry transcript-said">
        <TranscriptTime at={entry.at} />
        <div>
          <Speaker name={entry.name} role={entry.role} />
          <div className="transcript-text">
            {entry.role === "assistant" ? (
              <MarkdownText text={entry.text} id={`m${entry.seq}`} late={late} />
            ) : (
              <p className="whitespace-pre-wrap">{entry.text}</p>
            )}
          </div>
        </div>
      </article>
    );
  return (
    <div className="transcript-entry transcript-fact">
      <TranscriptTime at={entry.at} />
      <Fact entry={entry} />
    </div>
  );
}

function Speaker({ name, role }: { name: string | null; role: string }) {
  const t = useTranslations("events.role");
  const known = (["user", "assistant", "system", "tool", "operator"] as const).find((one) => one === role);
  const spoken = known ? t(known) : role;
  return (
    <h2 className="transcript-name font-semibold">
      {name ?? spoken}
      {name !== null && <span className="font-normal text-fg-3"> · {spoken}</span>}
    </h2>
  );
}

function Fact({ entry }: { entry: Exclude<TranscriptEntry, { kind: "message" }> }) {
  const t = useTranslations("transcript");
  const quoted = useQuoted();
  const told = useReasonText();
  switch (entry.kind) {
    case "call":
      return (
        <p className="transcript-text">
          <span className="font-mono text-11">{entry.tool}</span> {t(`call.${entry.outcome}`)}
          {entry.outcome !== "succeeded" && entry.why !== null && `: ${entry.why}`}
        </p>
      );
    case "decision":
      return (
        <div className="transcript-decided transcript-text">
          <p className="font-medium">{t(`decision.${entry.outcome}`, { by: entry.by ?? t("somebody") })}</p>
          <p>{entry.what}</p>
          {entry.why !== null && (
            <p className="text-fg-3">{entry.outcome === "closed" ? told(entry.why) : quoted(entry.why)}</p>
          )}
        </div>
      );
    case "alert":
      return (
        <p className="transcript-text">
          <b className="font-medium">{t("alert")}</b> {entry.text}
          {entry.why !== null && ` (${entry.why})`}
        </p>
      );
    case "takeover":
      return (
        <p className="transcript-text">
          {t(`takeover.${entry.outcome}`, { by: entry.by ?? t("somebody") })}
          {entry.why !== null && `: ${entry.why}`}
        </p>
      );
    case "failure":
      return (
        <p className="transcript-text">
          <b className="font-medium">{t("failure")}</b> {entry.why}
        </p>
      );
    default:
      return entry satisfies never;
  }
}

function useQuoted() {
  const locale = useLocale();
  return (text: string) => (locale === "ru" ? `«${text}»` : `“${text}”`);
}
