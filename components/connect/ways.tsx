"use client";

import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useMemo } from "react";
import { useCaller } from "@/components/access/caller-provider.tsx";
import { TabPanel, Tabs } from "@/components/ui/tabs.tsx";
import { FrameworkSnippets } from "./framework-tabs.tsx";
import { KeyNote } from "./key-note.tsx";
import { parseWay, withWay } from "./place.ts";
import { SnippetBlock } from "./snippet-block.tsx";
import { snippetsOf, WAYS, type Way } from "./snippets.ts";
import { useOrigin } from "./use-origin.ts";

const TABS = "connect";

/** The Connect page: a tab for each way. `assumed` is the server's address during server rendering. */
export function Ways({ assumed }: { assumed: string }) {
  const t = useTranslations("connect");
  const origin = useOrigin(assumed);
  const [way, show] = useWay();
  const keyed = useCaller().kind !== "everybody";
  return (
    <div className="min-w-0">
      <Tabs
        id={TABS}
        label={t("ways.label")}
        value={way}
        tabs={WAYS.map((value) => ({ value, label: t(`ways.${value}`) }))}
        onChange={show}
        className="flex-wrap border-line border-b"
        look="h-8.5 phone:h-11 px-2.5"
      />
      <TabPanel id={TABS} value={way} className="grid gap-6 pt-4">
        <p className="max-w-160 text-13 text-fg-2 leading-[var(--lh-body)] text-pretty">
          {t.rich(`about.${way}`, { code: (words) => <code className="font-mono text-11 text-fg">{words}</code> })}
        </p>
        {keyed && <KeyNote />}
        {way === "otel" ? (
          <FrameworkSnippets snippets={snippetsOf(way, { origin, keyed })} />
        ) : (
          snippetsOf(way, { origin, keyed }).map((snippet) => <SnippetBlock key={snippet.id} snippet={snippet} />)
        )}
      </TabPanel>
    </div>
  );
}

/** The tab in the address, and its setter. */
function useWay(): [Way, (way: Way) => void] {
  const params = useSearchParams();
  const way = useMemo(() => parseWay(new URLSearchParams(params)), [params]);
  const show = useCallback((way: Way) => {
    const { pathname, search } = window.location;
    window.history.replaceState(null, "", pathname + withWay(new URLSearchParams(search), way));
  }, []);
  return [way, show];
}
