import { useLocale, useTranslations } from "next-intl";
import { describeAction } from "@/lib/memory/actions/describe-action.ts";
import type { MemoryDocument } from "@/lib/memory/document.ts";
import { ActionParams } from "./action-params.tsx";
import { markList } from "./marks.ts";
import { Entry, Section } from "./section.tsx";

interface PlannedActionsProps {
  document: MemoryDocument;
  before: MemoryDocument | null;
}

/** What the agent would do, where it may not, and what it is about to do (M8). */
export function PlannedActions({ document, before }: PlannedActionsProps) {
  const t = useTranslations("memory");
  const locale = useLocale();
  const actions = markList(before?.next_planned_actions ?? null, document.next_planned_actions);
  return (
    <Section title={t("planned")} count={actions.length}>
      {actions.map(({ entry, mark }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same action may be planned twice
        <Entry key={index} mark={mark}>
          <p className="text-13 leading-[var(--lh-body)] text-pretty wrap-anywhere">
            {describeAction({ method: entry.method, params: entry.params }, locale)}
          </p>
          <ActionParams
            method={entry.method}
            params={entry.params}
            aside={entry.requires_confirmation && <span className="font-sans">{t("needsApproval")}</span>}
          />
        </Entry>
      ))}
    </Section>
  );
}
