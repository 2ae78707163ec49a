"use client";

import { useTranslations } from "next-intl";
import { TabPanel, Tabs } from "@/components/ui/tabs.tsx";
import { SnippetBlock } from "./snippet-block.tsx";
import { snippetsOf, WAYS } from "./snippets.ts";
import { useOrigin } from "./use-origin.ts";
import { useWay } from "./use-way.ts";

const TABS = "connect";

/** The ways to send what an agent does, a tab each. `assumed` is the address until the browser knows its own. */
export function Ways({ assumed }: { assumed: string }) {
  const t = useTranslations("connect");
  const origin = useOrigin(assumed);
  const [way, show] = useWay();
  return (
    <div className="min-w-0">
      <Tabs
        id={TABS}
        label={t("ways.label")}
        value={way}
        tabs={WAYS.map((value) => ({ value, label: t(`ways.${value}`) }))}
        onChange={show}
        className="flex-wrap border-line border-b"
        look="h-8.5 px-2.5"
      />
      <TabPanel id={TABS} value={way} className="grid gap-6 pt-4">
        <p className="max-w-160 text-13 text-fg-2 leading-[var(--lh-body)] text-pretty">
          {t.rich(`about.${way}`, { code: (words) => <code className="font-mono text-11 text-fg">{words}</code> })}
        </p>
        {snippetsOf(way, origin).map((snippet) => (
          <SnippetBlock key={snippet.id} snippet={snippet} />
        ))}
      </TabPanel>
    </div>
  );
}
