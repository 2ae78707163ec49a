"use client";

import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { Moment } from "@/components/memory/moment.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { AgentStateVersion } from "@/lib/api/shapes.ts";
import { actorName } from "../actor-name.ts";
import { stateOwnerName } from "../sidebar/sidebar-rows.ts";
import { memoryUser, stateOwnerOf } from "../state-owner.ts";
import { useAgentSelection } from "../use-agent-selection.ts";
import { DeleteKey } from "./delete-key.tsx";
import { useDraft } from "./drafts.tsx";
import { ExportMemory, ImportMemory } from "./memory-file.tsx";

interface EntryHeadProps {
  agent: string;
  entryKey: string;
  /** The newest version, which may be a deletion; null for none. */
  newest: AgentStateVersion | null;
  /** The newest version, if it arrived while the page was open. */
  news: AgentStateVersion | null;
  /** The newest version was saved on this page. */
  saved: boolean;
  onSeen: () => void;
  /** This page has saved a version. */
  onWritten: (version: number) => void;
}

/** A key's name, version and actions. */
export function EntryHead({ agent, entryKey, newest, news, saved, onSeen, onWritten }: EntryHeadProps) {
  const t = useTranslations("agents.entry");
  const [{ tab }, select] = useAgentSelection();
  const [draft] = useDraft(agent, entryKey);
  const keeper = stateOwnerOf(agent);
  const user = memoryUser(agent, entryKey);
  // While editing, the editor shows it instead.
  const isWriting = tab === "edit" && draft !== null;
  const isThere = newest !== null && !newest.deleted;
  return (
    <header className="flex-none border-line border-b px-4 pt-2.5 pb-2">
      <div className="flex min-h-6.5 phone:min-h-11 min-w-0 items-center gap-1.5">
        <Button
          variant="ghost"
          square
          aria-label={t("back")}
          onClick={() => select({ agent: null })}
          className="-ml-2 hidden! max-md:inline-flex!"
        >
          <Icon name="left" />
        </Button>
        <h2 className="flex min-w-0 items-center gap-1.5 text-14">
          {user !== null && <Icon name="manager" className="text-fg-3" />}
          <button
            type="button"
            onClick={() => select({ agent })}
            className="min-h-6 min-w-0 truncate text-fg-2 hover:text-fg hover:underline"
          >
            {stateOwnerName(agent)}
          </button>
          <span aria-hidden className="text-fg-3">
            /
          </span>
          <span className="min-w-0 truncate font-semibold">{entryKey}</span>
        </h2>
        <span className="flex-1" />
        {user !== null && isThere && <ExportMemory user={user} />}
        {user !== null && (
          <RequirePermission permission="operate">
            <ImportMemory agent={agent} entryKey={entryKey} newest={newest} />
          </RequirePermission>
        )}
        {isThere && keeper.kind !== "own" && (
          <RequirePermission permission="ingest">
            <DeleteKey agent={agent} entryKey={entryKey} version={newest.version} onWritten={onWritten} />
          </RequirePermission>
        )}
        {keeper.kind === "own" && <span className="text-11 text-fg-3">{t("readOnly")}</span>}
      </div>
      <div className="flex min-h-6 flex-wrap items-center gap-x-1.5 text-fg-3">
        {newest === null ? (
          <span>{t("never")}</span>
        ) : (
          <span>
            {t.rich(newest.deleted ? "deleted" : "state", {
              version: newest.version,
              at: () => <Moment at={newest.at} />,
            })}
            {actorName(newest.actor) !== null && <> · {actorName(newest.actor)}</>}
          </span>
        )}
        <span role="status" className="min-w-0">
          {news !== null && !isWriting && (
            <span className="inline-flex items-center gap-1.5 font-medium text-chg">
              <Icon name="up" size={14} />
              {t("news", { version: news.version })}
              <button
                type="button"
                onClick={() => {
                  onSeen();
                  select({ version: null, tab: "changes", against: "before" });
                }}
                className="min-h-6 text-fg underline underline-offset-3"
              >
                {t("newsWhat")}
              </button>
            </span>
          )}
          {news === null && saved && newest && (
            <span className="inline-flex items-center gap-1 text-add">
              <Icon name="check" size={14} />
              {t("saved", { version: newest.version })}
            </span>
          )}
        </span>
      </div>
    </header>
  );
}
