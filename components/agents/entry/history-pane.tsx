"use client";

import { useTranslations } from "next-intl";
import { Moment } from "@/components/memory/moment.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { AgentStateVersion } from "@/lib/api/shapes.ts";
import { actorName } from "../actor-name.ts";
import { useAgentSelection } from "../use-agent-selection.ts";
import type { useHistory } from "./use-history.ts";

interface HistoryPaneProps {
  agent: string;
  entryKey: string;
  history: ReturnType<typeof useHistory>;
  versions: readonly AgentStateVersion[];
}

/** The versions of a key, newest first. Selecting one shows its changes. */
export function HistoryPane({ history, versions }: HistoryPaneProps) {
  const t = useTranslations("agents.history");
  const [{ version: selected }, select] = useAgentSelection();
  const newest = versions[0];
  const shown = selected ?? newest?.version;
  return (
    <aside
      aria-label={t("title")}
      className="flex min-h-0 flex-col border-line-strong border-l bg-surface max-md:max-h-50 max-md:border-t max-md:border-l-0"
    >
      <h3 className="flex h-[var(--h-toolbar)] flex-none items-center gap-1.5 border-line border-b px-3 font-semibold">
        {t("title")}
        <span className="font-normal text-fg-3">{t("fromLog")}</span>
      </h3>
      {versions.length === 0 && <p className="p-3 text-fg-3">{t("empty")}</p>}
      <ol className="min-h-0 flex-1 overflow-y-auto">
        {versions.map((one) => (
          <li key={one.version} className="relative border-line border-b">
            <button
              type="button"
              aria-current={one.version === shown ? "true" : undefined}
              onClick={() => select({ version: one === newest && !one.deleted ? null : one.version })}
              className="flex w-full flex-col gap-0.5 px-3 py-1.5 text-left hover:bg-hover focus-visible:rounded-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)] aria-[current=true]:bg-accent-soft aria-[current=true]:shadow-[inset_2px_0_0_var(--accent)]"
            >
              <span className="flex w-full items-center gap-1.5">
                <span className="font-medium whitespace-nowrap tabular-nums">
                  {t("version", { version: one.version })}
                </span>
                <Moment at={one.at} className="ml-auto text-11 text-fg-3" />
              </span>
              <span className={`truncate text-11 text-fg-3 ${one.conversation_id === null ? "" : "pr-6"}`}>
                {one.deleted && <span className="text-del">{t("deleted")} · </span>}
                {actorName(one.actor) ?? t("nobody")}
                {one === newest && !one.deleted && ` · ${t("current")}`}
              </span>
            </button>
            {one.conversation_id !== null && (
              <Link
                href={`/conversations/${encodeURIComponent(one.conversation_id)}`}
                aria-label={t("conversation", { id: one.conversation_id })}
                title={t("conversation", { id: one.conversation_id })}
                className="absolute right-2 bottom-0.5 flex size-6 items-center justify-center rounded-1 text-fg-3 hover:bg-active hover:text-fg"
              >
                <Icon name="thread" size={14} />
              </Link>
            )}
          </li>
        ))}
        {history.hasNextPage && (
          <li className="p-2">
            <Button disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
              {history.isFetchNextPageError ? t("retry") : t("older")}
            </Button>
          </li>
        )}
      </ol>
    </aside>
  );
}
