import { useLocale, useTranslations } from "next-intl";
import { JsonTree } from "@/components/inspector/json-tree.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { describeAction } from "@/lib/memory/actions/describe-action.ts";
import type { MemoryDocument } from "@/lib/memory/document.ts";
import { ActionParams } from "./action-params.tsx";
import { Confirmations } from "./confirmations.tsx";
import { Done } from "./done.tsx";
import { markList } from "./marks.ts";
import { Moment } from "./moment.tsx";
import { Objects } from "./objects.tsx";
import { Entry, Section } from "./section.tsx";

interface MemoryViewProps {
  document: MemoryDocument;
  /** The document before the step; null without a comparison. */
  before: MemoryDocument | null;
  /** The self-check's warnings (M10). */
  warnings: readonly string[];
  /** The time for which it is shown, to find what is overdue. */
  now: Date;
}

/** A user's memory for people (M2): goals, pending and completed actions, and objects. */
export function MemoryView({ document, before, warnings, now }: MemoryViewProps) {
  const t = useTranslations("memory");
  const bindings = markList(before?.event_bindings ?? null, document.event_bindings);
  return (
    <div className="@container flex h-full flex-col overflow-y-auto">
      <SelfCheck warnings={warnings} />
      <div className="flex-1 @3xl:grid @3xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="@max-3xl:border-line @max-3xl:border-b @3xl:border-line @3xl:border-r">
          <Goals document={document} before={before} />
          <InProgress document={document} before={before} />
          <Confirmations document={document} before={before} now={now} />
          <PlannedActions document={document} before={before} />
        </div>
        <div>
          <Objects document={document} before={before} />
          <Done document={document} before={before} />
          <Section title={t("bindings")} count={bindings.length}>
            {bindings.map(({ entry, mark }) => (
              <Entry key={`${entry.event} ${entry.handler}`} mark={mark}>
                <code className="block font-mono text-11 wrap-anywhere">{entry.event}</code>
                <code className="block font-mono text-11 text-fg-3 wrap-anywhere">{entry.handler}</code>
              </Entry>
            ))}
          </Section>
          <AlsoKept document={document} />
        </div>
      </div>
    </div>
  );
}

/** Warnings for an operator (M10). */
function SelfCheck({ warnings }: { warnings: readonly string[] }) {
  const t = useTranslations("memory");
  return (
    <section
      aria-label={t("selfCheck")}
      className={`flex-none border-line border-b px-4 py-2 ${warnings.length > 0 ? "bg-st-waiting-bg" : ""}`}
    >
      <h3 className="flex min-h-5 items-center gap-1.5 font-semibold">
        <Icon
          name={warnings.length > 0 ? "warn" : "check"}
          className={warnings.length > 0 ? "text-st-waiting" : "text-st-succeeded"}
        />
        {t("selfCheck")}
        {warnings.length === 0 && <span className="font-normal text-fg-3">{t("allWell")}</span>}
      </h3>
      {warnings.length > 0 && (
        <ul className="mt-0.5 pl-5.5">
          {warnings.map((warning) => (
            <li key={warning} className="py-0.5 text-pretty wrap-anywhere">
              {warning}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type PartProps = Pick<MemoryViewProps, "document" | "before">;

function Goals({ document, before }: PartProps) {
  const t = useTranslations("memory");
  const goals = markList(before?.goals ?? null, document.goals);
  return (
    <Section title={t("goals")} count={goals.length}>
      {goals.map(({ entry, mark }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same goal may stand twice
        <Entry key={index} mark={mark}>
          <p className="text-13 leading-[var(--lh-body)] text-pretty wrap-anywhere">{entry}</p>
        </Entry>
      ))}
    </Section>
  );
}

function InProgress({ document, before }: PartProps) {
  const t = useTranslations("memory");
  const steps = markList(before?.in_progress ?? null, document.in_progress);
  return (
    <Section title={t("inProgress")} count={steps.length}>
      {steps.map(({ entry, mark }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its place
        <Entry key={index} mark={mark}>
          <p className="text-13 leading-[var(--lh-body)] text-pretty wrap-anywhere">
            {entry.description?.trim() ? entry.description : <span className="text-st-waiting">{t("nameless")}</span>}
          </p>
          <p className="text-11 text-fg-3">{t.rich("since", { at: () => <Moment at={entry.requested_at} /> })}</p>
        </Entry>
      ))}
    </Section>
  );
}

/** The keys of the document that the rules define. */
const KNOWN = [
  "goals",
  "done",
  "in_progress",
  "objects",
  "next_planned_actions",
  "confirmations",
  "event_bindings",
] satisfies (keyof MemoryDocument)[];

/** Other keys of the document (M2). */
function AlsoKept({ document }: Pick<PartProps, "document">) {
  const t = useTranslations("memory");
  const others = Object.fromEntries(
    Object.entries(document).filter(([name]) => !KNOWN.some((known) => known === name)),
  );
  if (Object.keys(others).length === 0) return null;
  return (
    <section aria-label={t("others")} className="px-4 py-2">
      <h3 className="flex min-h-5 items-center font-semibold">{t("others")}</h3>
      <JsonTree label={t("others")} value={others} className="-mx-4 max-h-80" />
    </section>
  );
}

interface PlannedActionsProps {
  document: MemoryDocument;
  before: MemoryDocument | null;
}

/** Actions that the agent has planned (M8). */
function PlannedActions({ document, before }: PlannedActionsProps) {
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
