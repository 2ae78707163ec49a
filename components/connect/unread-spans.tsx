"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useEffect } from "react";
import { callApi } from "@/components/client/api.ts";
import { subscribeLive } from "@/components/client/live.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import { Link } from "@/components/ui/link.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { UnreadReport } from "@/lib/api/shapes.ts";

const KEY = ["connect", "unread"];

type Scope = UnreadReport["scopes"][number];

/** What of the received spans and logs was not understood, and what to do. Nothing is shown before any arrived (C11). */
export function UnreadSpans() {
  const t = useTranslations("connect.unread");
  const format = useFormatter();
  const report = useUnread();
  if (!report || isEmpty(report)) return null;
  const { scopes, dropped_traces, logs } = report;
  const unread = scopes.filter((scope) => scope.unread > 0);
  const partly = scopes.filter((scope) => scope.unread === 0 && scope.attributes.length > 0);
  const ignored = logs.unread.reduce((sum, { count }) => sum + count, 0);
  const since = format.dateTime(new Date(report.since), { dateStyle: "medium", timeStyle: "short", hour12: false });
  return (
    <section
      id="unread"
      aria-labelledby="unread-title"
      className="overflow-hidden rounded-3 border border-line-strong bg-surface"
    >
      <div className="grid gap-1 border-line border-b bg-sunken px-3 py-2.5">
        <h2 id="unread-title" className="font-semibold text-13">
          {t("title")}
        </h2>
        <p className="flex items-start gap-1.5 text-12 text-fg-2 leading-4">
          <StatusIcon status={unread.length > 0 ? "handled" : "succeeded"} size={14} />
          <span>{unread.length > 0 ? t("some", { count: unread.length }) : t("none")}</span>
        </p>
      </div>
      {unread.length > 0 && (
        <>
          <ul aria-label={t("scopes")}>
            {unread.map((scope) => (
              <ScopeRow key={`${scope.scope} ${scope.version}`} scope={scope} />
            ))}
          </ul>
          <p className="border-line border-t px-3 py-2 text-12 text-fg-2 leading-4 text-pretty">
            {t.rich("whatToDo", { code })}
          </p>
        </>
      )}
      {dropped_traces.count > 0 && (
        <Fact>
          {t("dropped", { count: dropped_traces.count })}
          {dropped_traces.example !== null && ` ${t("droppedExample", { name: dropped_traces.example })}`}
        </Fact>
      )}
      {logs.dropped > 0 && <Fact>{t("logsDropped", { count: logs.dropped })}</Fact>}
      {ignored > 0 && <Fact>{t("logsIgnored", { count: ignored })}</Fact>}
      {partly.length > 0 && (
        <details className="border-line border-t text-12">
          <summary className="cursor-pointer px-3 py-2 text-fg-2 leading-4 phone:py-3">
            {t("partly", { count: partly.length })}
          </summary>
          <p className="px-3 pb-2 text-11 text-fg-3 leading-4 text-pretty">{t("partlyText")}</p>
          <ul aria-label={t("partlyList")}>
            {partly.map((scope) => (
              <ScopeRow key={`${scope.scope} ${scope.version}`} scope={scope} />
            ))}
          </ul>
        </details>
      )}
      <p className="border-line border-t px-3 py-2 text-11 text-fg-3 leading-4">{t("since", { since })}</p>
    </section>
  );
}

function code(words: ReactNode) {
  return <code className="font-mono text-11 text-fg wrap-anywhere">{words}</code>;
}

function Fact({ children }: { children: ReactNode }) {
  return <p className="border-line border-t px-3 py-2 text-12 text-fg-2 leading-4 text-pretty">{children}</p>;
}

/** So many attributes are shown at once. */
const FEW = 3;

/** A scope with the most frequent attributes that nobody read, and a span that has some. */
function ScopeRow({ scope: { scope, version, adapters, spans, unread, attributes, example } }: { scope: Scope }) {
  const t = useTranslations("connect.unread");
  const rest = attributes.slice(FEW);
  return (
    <li className="grid gap-1 border-line border-t px-3 py-2.5 first:border-t-0">
      <span className="min-w-0 font-medium font-mono text-12 wrap-anywhere">
        {scope || t("unnamed")} {version && <span className="font-normal text-fg-3">{version}</span>}
      </span>
      <span className="text-12 text-fg-2 leading-4">
        {unread > 0 ? t("spans", { unread, spans }) : t("read", { spans, adapters: adapters.join(", ") })}
      </span>
      <Attributes items={attributes.slice(0, FEW)} />
      {rest.length > 0 && (
        <details className="text-12">
          <summary className="cursor-pointer text-11 text-fg-3 phone:py-2">{t("more", { count: rest.length })}</summary>
          <Attributes items={rest} />
        </details>
      )}
      {example && (
        <span className="min-w-0 text-11 text-fg-3 wrap-anywhere phone:leading-8">
          {example.conversation_id === null ? (
            t("example", { name: example.name })
          ) : (
            <Link
              href={`/conversations/${encodeURIComponent(example.conversation_id)}`}
              className="text-accent underline underline-offset-2"
            >
              {t("example", { name: example.name })}
            </Link>
          )}
        </span>
      )}
    </li>
  );
}

function Attributes({ items }: { items: Scope["attributes"] }) {
  const t = useTranslations("connect.unread");
  const format = useFormatter();
  return (
    <ul aria-label={t("attributes")} className="grid gap-0.5">
      {items.map(({ name, count }) => (
        <li key={name} className="flex items-baseline justify-between gap-3 font-mono text-11 leading-4">
          <span className="min-w-0 wrap-anywhere">{name}</span>
          <span className="flex-none text-fg-3 tabular-nums">{format.number(count)}</span>
        </li>
      ))}
    </ul>
  );
}

function isEmpty({ scopes, dropped_traces, logs }: UnreadReport): boolean {
  return scopes.length === 0 && dropped_traces.count === 0 && logs.dropped === 0 && logs.unread.length === 0;
}

/** Read again whenever traces were mapped. */
function useUnread(): UnreadReport | undefined {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi<UnreadReport>("/api/otlp/unread", { signal }),
  });
  // The outside system is the stream.
  useEffect(() => {
    const onWaiting = () => void refetchAfterChange(queries, KEY);
    return subscribeLive({}, { onWaiting });
  }, [queries]);
  return data;
}
