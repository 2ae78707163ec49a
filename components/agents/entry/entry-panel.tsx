"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { AgentStateVersion } from "@/lib/api/shapes.ts";
import { EntryHead } from "./entry-head.tsx";
import { EntryViews } from "./entry-views.tsx";
import { HistoryPane } from "./history-pane.tsx";
import { useHistory } from "./use-history.ts";
import { useIsWriting } from "./use-save.ts";

/** One key of an agent: the views of its value, and its history (C8). */
export function EntryPanel({ agent, entryKey }: { agent: string; entryKey: string }) {
  const t = useTranslations("agents");
  const history = useHistory(agent, entryKey);
  const versions = history.data?.pages.flatMap(({ items }) => items);
  if (!versions && history.error)
    return (
      <EmptyState
        icon="unreachable"
        title={t("entry.failed")}
        actions={<Button onClick={() => void history.refetch()}>{t("list.retry")}</Button>}
      >
        {history.error.message}
      </EmptyState>
    );
  if (!versions) return <Skeleton />;
  return (
    <div className="grid min-h-0 min-w-0 flex-1 grid-cols-[minmax(0,1fr)_248px] narrow:grid-cols-[minmax(0,1fr)_204px] phone:grid-cols-1 phone:grid-rows-[minmax(0,1fr)_auto]">
      <Entry agent={agent} entryKey={entryKey} versions={versions} />
      <HistoryPane agent={agent} entryKey={entryKey} history={history} versions={versions} />
    </div>
  );
}

interface EntryProps {
  agent: string;
  entryKey: string;
  /** Newest first; empty for a key without versions. */
  versions: readonly AgentStateVersion[];
}

function Entry({ agent, entryKey, versions }: EntryProps) {
  const newest = versions[0] ?? null;
  const [known, setKnown] = useState(newest?.version ?? 0);
  const [saved, setSaved] = useState<number | null>(null);
  const isWriting = useIsWriting(agent, entryKey);
  // A version that arrives while the page is open is announced, unless this page saved it.
  const isNews = newest !== null && newest.version > known && !isWriting;
  const onWritten = (version: number) => {
    setSaved(version);
    setKnown(version);
  };
  return (
    <section aria-label={`${agent} / ${entryKey}`} className="flex min-h-0 min-w-0 flex-col">
      <EntryHead
        agent={agent}
        entryKey={entryKey}
        newest={newest}
        news={isNews ? newest : null}
        saved={saved !== null && saved === newest?.version}
        onSeen={() => setKnown(newest?.version ?? 0)}
        onWritten={onWritten}
      />
      <EntryViews agent={agent} entryKey={entryKey} versions={versions} onWritten={onWritten} />
    </section>
  );
}

/** A skeleton while the value loads. */
function Skeleton() {
  const t = useTranslations("agents.entry");
  return (
    <div className="flex flex-1 animate-pulse-soft flex-col gap-4 p-4">
      <span role="status" className="sr-only">
        {t("loading")}
      </span>
      {["w-1/3", "w-1/5", "w-2/3", "w-1/2", "w-3/5", "w-2/5"].map((width) => (
        <span key={width} className={`h-2.5 rounded-1 bg-active ${width}`} />
      ))}
    </div>
  );
}
