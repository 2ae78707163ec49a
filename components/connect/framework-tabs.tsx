"use client";

import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useMemo } from "react";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { TabPanel, Tabs } from "@/components/ui/tabs.tsx";
import { parseFramework, withFramework } from "./place.ts";
import { SnippetBlock } from "./snippet-block.tsx";
import type { Snippet, SnippetId } from "./snippets.ts";

const TABS = "framework";

/** The environment that all exporters share, then a tab for each framework, with the lines for it (C11). */
export function FrameworkSnippets({ snippets: [shared, ...frameworks] }: { snippets: readonly Snippet[] }) {
  const t = useTranslations("connect");
  const [first, ...others] = frameworks.map(({ id }) => id);
  const [chosen, choose] = useFramework(first ? [first, ...others] : ["otel-js"]);
  const snippet = frameworks.find(({ id }) => id === chosen);
  return (
    <>
      {shared && <SnippetBlock snippet={shared} />}
      <div className="min-w-0">
        <Tabs
          id={TABS}
          label={t("frameworks.label")}
          value={chosen}
          tabs={frameworks.map(({ id }) => ({ value: id, label: t(`snippets.${id}.title`) }))}
          onChange={choose}
          className="flex-wrap border-line border-b text-12"
          look="h-7.5 phone:h-11 px-2"
        />
        {snippet && (
          <TabPanel id={TABS} value={chosen} className="grid gap-2 pt-4">
            <SnippetBlock snippet={snippet} />
            <Proof recorded={snippet.recorded} />
          </TabPanel>
        )}
      </div>
    </>
  );
}

/** Whether the lines were run, and with which versions. */
function Proof({ recorded }: Pick<Snippet, "recorded">) {
  const t = useTranslations("connect.frameworks");
  const words =
    recorded === undefined ? t("written") : recorded === "" ? t("byHand") : t("recorded", { versions: recorded });
  return (
    <p className="flex items-start gap-1.5 text-12 text-fg-3 leading-4 text-pretty">
      <StatusIcon status={recorded === undefined ? "planned" : "succeeded"} size={14} />
      <span>{words}</span>
    </p>
  );
}

/** The framework in the address, and its setter. */
function useFramework(all: readonly [SnippetId, ...SnippetId[]]): [SnippetId, (framework: SnippetId) => void] {
  const params = useSearchParams();
  const framework = useMemo(() => parseFramework(new URLSearchParams(params), all), [params, all]);
  const choose = useCallback((next: SnippetId) => {
    const { pathname, search } = window.location;
    window.history.replaceState(null, "", pathname + withFramework(new URLSearchParams(search), next));
  }, []);
  return [framework, choose];
}
