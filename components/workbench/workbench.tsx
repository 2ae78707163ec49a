"use client";

import { useTranslations } from "next-intl";
import { useMemo, useRef } from "react";
import { useAgents } from "@/components/agents/use-agents.ts";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { OfflineBanner } from "@/components/list/offline-banner.tsx";
import { EDITOR_ID, SEARCH_ID } from "./ids.ts";
import { renderRequest } from "./render-request.ts";
import { ResultPane } from "./result-pane.tsx";
import { SettingsPart } from "./source/settings-part.tsx";
import { SourcePart } from "./source/source-part.tsx";
import { useLiveSource } from "./source/use-live-source.ts";
import { findPlaceholder } from "./template/find-placeholder.ts";
import { TemplateEditor } from "./template/template-editor.tsx";
import { selectIn } from "./template/text-field.ts";
import { useAgentSettings } from "./template/use-agent-settings.ts";
import { useRendered } from "./use-rendered.ts";
import { useWorkbench } from "./use-workbench.ts";

/** The Prompts page: a template, and its rendered prompt for a step of a conversation (H6). */
export function Workbench() {
  const t = useTranslations("workbench");
  const agents = useAgents().data;
  const field = useRef<HTMLTextAreaElement>(null);
  const bench = useWorkbench((agent) => agents?.find(({ id }) => id === agent)?.instructions ?? t("starter"));
  const { place, template, ready, change } = bench;
  const agent = useAgentSettings(place.agent);
  const request = useMemo(
    () => (ready && template !== "" ? renderRequest(template, place, agent) : null),
    [ready, template, place, agent],
  );
  const rendered = useRendered(request);
  const { faults } = rendered;
  useLiveSource(place.conversation);
  useWorkbenchKeys();

  const pick = (placeholder: string) => {
    const { current } = field;
    const range = current && findPlaceholder(current.value, placeholder, current.selectionEnd);
    if (range) selectIn(current, range);
  };
  return (
    <>
      <main
        id="main"
        tabIndex={-1}
        className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] outline-none"
      >
        <h1 className="sr-only">{t("title")}</h1>
        <OfflineBanner />
        <div className="row-start-2 grid min-h-0 grid-cols-2 max-md:block max-md:overflow-y-auto">
          <div className="flex min-h-0 min-w-0 flex-col overflow-y-auto max-md:overflow-visible">
            <TemplateEditor bench={bench} field={field} />
            <SourcePart place={place} faults={faults} onChange={change} />
            <SettingsPart place={place} agent={agent} faults={faults} onChange={change} />
          </div>
          <ResultPane rendered={rendered} empty={template === ""} isBeside={agent.isBeside ?? false} onPick={pick} />
        </div>
      </main>
      <ShortcutFooter page="prompts" />
    </>
  );
}

/** `E` focuses the template, `/` the search. */
function useWorkbenchKeys(): void {
  useShortcuts({
    edit: () => document.getElementById(EDITOR_ID)?.focus(),
    search: () => document.getElementById(SEARCH_ID)?.focus(),
  });
}
