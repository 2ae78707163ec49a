"use client";

import { useTranslations } from "next-intl";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { OfflineBanner } from "@/components/list/offline-banner.tsx";
import { AgentPanel } from "./agent-panel.tsx";
import { DraftsProvider } from "./entry/drafts.tsx";
import { EntryPanel } from "./entry/entry-panel.tsx";
import { type AgentWeek, Overview } from "./overview.tsx";
import { Sidebar } from "./sidebar/sidebar.tsx";
import { useAgentSelection } from "./use-agent-selection.ts";
import { useLiveChanges } from "./use-live-changes.ts";

/** The agents of this server and all agent state by agent and key, with each key's history (C8). */
export function AgentsBrowser({ week }: { week: readonly AgentWeek[] }) {
  const t = useTranslations("agents");
  const [{ agent, key }] = useAgentSelection();
  useLiveChanges();
  return (
    <DraftsProvider>
      <main
        id="main"
        tabIndex={-1}
        className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] outline-none"
      >
        <h1 className="sr-only">{t("title")}</h1>
        <OfflineBanner />
        <div className="row-start-2 grid min-h-0 grid-cols-[300px_minmax(0,1fr)] narrow:grid-cols-[240px_minmax(0,1fr)] phone:grid-cols-1">
          <div className={`flex min-h-0 border-line-strong border-r ${agent === null ? "" : "phone:hidden"}`}>
            <Sidebar />
          </div>
          <div className={`flex min-h-0 min-w-0 ${agent === null ? "phone:hidden" : ""}`}>
            {agent === null ? (
              <Overview week={week} />
            ) : key === null ? (
              <AgentPanel key={agent} id={agent} />
            ) : (
              <EntryPanel key={`${agent}\u0000${key}`} agent={agent} entryKey={key} />
            )}
          </div>
        </div>
      </main>
      <ShortcutFooter page="agents" />
    </DraftsProvider>
  );
}
