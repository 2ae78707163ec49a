"use client";

import { useTranslations } from "next-intl";
import { EditForm } from "@/components/decision/edit-form.tsx";
import { ResultForm } from "@/components/decision/result-form.tsx";
import { useDecide } from "@/components/decision/use-decide.ts";
import { askedFor } from "@/components/format/asked-for.ts";
import { CitedTree } from "@/components/inspector/cited-tree.tsx";
import { PathPill } from "@/components/ui/path-pill.tsx";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { printExpression, printPath } from "@/lib/plan/reference.ts";
import type { Session } from "@/lib/session/session.ts";
import { ChangeTable } from "./change-table.tsx";
import { changesOf } from "./changes.ts";
import { FieldLabel } from "./field-label.tsx";
import { type InPlan, inPlan, stateOf } from "./in-plan.ts";
import { Notes } from "./notes.tsx";
import { PlaceInPlan } from "./place-in-plan.tsx";
import { Said } from "./said.tsx";
import { Section } from "./section.tsx";
import { SideFacts } from "./side-facts.tsx";
import { TITLE_ID } from "./title-id.ts";
import { useFocusKept } from "./use-focus-kept.ts";
import { useSession } from "./use-session.ts";

/** What stands in the place of the values while they are being edited, or a result is written down. */
export type Form = "edit" | "result";

interface DetailProps {
  item: ListedConfirmation;
  /** A decision made here came after another. */
  late: boolean;
  /** How many others of the same conversation wait. */
  others: number;
  form: Form | null;
  onCloseForm: () => void;
}

/** All that a person needs to decide: what will be done, with which values, why, and what follows from either answer. */
export function Detail({ item, late, others, form, onCloseForm }: DetailProps) {
  const t = useTranslations("approvals");
  const { session, failed, retry } = useSession(item);
  const confirmation = session?.confirmations.get(item.id) ?? null;
  const plan = session && confirmation ? inPlan(session, confirmation) : null;
  const openForm = item.status === "requested" ? form : null;
  useFocusKept(item.status);
  return (
    <div className="detail-body">
      <div className="min-w-0">
        <h2
          id={TITLE_ID}
          tabIndex={-1}
          className="rounded-1 text-20 leading-6.5 font-semibold tracking-[-0.015em] text-balance outline-none wrap-anywhere"
        >
          {askedFor(item)}
        </h2>
        <p className="mt-1.25 flex min-w-0 items-baseline gap-x-2 text-fg-3">
          {askedFor(item) !== item.action.method && (
            <code className="max-w-2/3 flex-none truncate font-mono text-fg-2">{item.action.method}</code>
          )}
          {item.instance !== "" && <span className="flex-none text-fg-2">{item.instance}</span>}
          <span className="truncate">{item.conversation.title ?? item.conversation.subject}</span>
        </p>
        <Notes item={item} late={late} />
        {openForm === null ? (
          <Changes item={item} session={session} />
        ) : (
          <Section title={openForm === "edit" ? t("editing") : t("recording")}>
            <div className="max-w-140">
              <OwnForm key={openForm} item={item} form={openForm} onBack={onCloseForm} />
            </div>
          </Section>
        )}
        {plan?.call.reasoning && (
          <Section title={t("why")}>
            <p className="max-w-[62ch] border-line-strong border-l-2 pl-3 text-13 leading-5 text-pretty whitespace-pre-wrap wrap-anywhere">
              {plan.call.reasoning}
            </p>
          </Section>
        )}
        {plan && <PlaceInPlan item={item} plan={plan} />}
        {openForm !== "edit" && <Sent item={item} plan={plan} />}
      </div>
      <SideFacts item={item} others={others}>
        <Said session={session} failed={failed} onRetry={retry} />
      </SideFacts>
    </div>
  );
}

interface OwnFormProps {
  item: ListedConfirmation;
  form: Form;
  onBack: () => void;
}

function OwnForm({ item, form, onBack }: OwnFormProps) {
  const decide = useDecide(item);
  switch (form) {
    case "edit":
      return (
        <EditForm
          confirmation={item}
          decide={decide}
          labelOf={(path) => <FieldLabel path={path} before={item.before} />}
          onBack={onBack}
        />
      );
    case "result":
      return <ResultForm confirmation={item} decide={decide} onBack={onBack} />;
    default:
      return form satisfies never;
  }
}

/** The values that would change, or that would be set where nobody told what stands there now. */
function Changes({ item, session }: { item: ListedConfirmation; session: Session | undefined }) {
  const t = useTranslations("approvals.changes");
  const confirmation = session?.confirmations.get(item.id);
  const state = session && confirmation ? stateOf(session, confirmation) : null;
  const changes = changesOf(item.action.params, item.before, state);
  if (changes.length === 0) return null;
  const told = changes.some(({ before }) => before !== undefined);
  return (
    <Section title={t(item.status !== "requested" ? "about" : told ? "title" : "values")}>
      <ChangeTable changes={changes} status={item.status} />
    </Section>
  );
}

const SENT = { requested: "sent", approved: "approvedAll", denied: "asked" } as const;

/** All that would be sent, and beside each value where the plan took it from. */
function Sent({ item, plan }: { item: ListedConfirmation; plan: InPlan | null }) {
  const t = useTranslations("approvals");
  const references = new Map(
    plan?.call.reads.map(({ parameter, expression }) => [printPath(parameter), printExpression(expression)]),
  );
  return (
    <Section title={t(SENT[item.status])}>
      <div className="rounded-2 bg-sunken px-3 py-1.5">
        <CitedTree
          label={t("sent")}
          value={item.action.params}
          asideOf={(row) => {
            const reference = references.get(row.id);
            return reference && <PathPill path={reference} />;
          }}
        />
      </div>
    </Section>
  );
}
