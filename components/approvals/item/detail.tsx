"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useMemo, useRef } from "react";
import { callApi } from "@/components/client/api.ts";
import { useLiveRefresh } from "@/components/client/use-live-refresh.ts";
import { EditForm } from "@/components/decision/edit-form.tsx";
import { ResultForm } from "@/components/decision/result-form.tsx";
import { useDecide } from "@/components/decision/use-decide.ts";
import { askedFor } from "@/components/format/asked-for.ts";
import { CitedTree } from "@/components/inspector/cited-tree.tsx";
import { PathPill } from "@/components/ui/path-pill.tsx";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { printExpression, printPath } from "@/lib/plan/reference.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { Session, View } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";
import type { Status } from "../place.ts";
import { ChangeTable } from "./change-table.tsx";
import { changesOf } from "./changes.ts";
import { type InPlan, inPlan, stateOf } from "./in-plan.ts";
import { LastMessages } from "./last-messages.tsx";
import { Notes } from "./notes.tsx";
import { PlaceInPlan } from "./place-in-plan.tsx";
import { Section } from "./section.tsx";
import { SideFacts } from "./side-facts.tsx";
import { TITLE_ID } from "./title-id.ts";
import { useFieldName } from "./use-field-name.ts";
import { ValueText } from "./value-text.tsx";

/** Which form replaces the values: editing them, or recording a result. */
export type Form = "edit" | "result";

interface DetailProps {
  item: ListedConfirmation;
  /** The decision made here came too late. */
  late: boolean;
  /** Other pending approvals of the same conversation. */
  others: number;
  form: Form | null;
  onCloseForm: () => void;
}

/** The details of an approval: the action, its values, the reason, and the consequences of either decision. */
export function Detail({ item, late, others, form, onCloseForm }: DetailProps) {
  const t = useTranslations("approvals");
  const { session, failed, retry } = useSession(item);
  const confirmation = session?.confirmations.get(item.id) ?? null;
  const plan = session && confirmation ? inPlan(session, confirmation) : null;
  const openForm = item.status === "requested" ? form : null;
  const isLoaded = session !== undefined || failed;
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
        {/* What stands below the plan comes with it, so that it does not move. */}
        {openForm !== "edit" && isLoaded && <Sent item={item} plan={plan} />}
      </div>
      <SideFacts item={item} others={others} className={isLoaded ? "" : "max-[1320px]:invisible"}>
        <LastMessages session={session} failed={failed} onRetry={retry} />
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

/** The changed values, or the new values when the old ones are unknown. */
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

/** The full request, with the source of each value in the plan. */
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

/** The label of an edited field, and the value that it replaces. */
function FieldLabel({ path, before }: { path: readonly string[]; before: JsonObject | null }) {
  const t = useTranslations("approvals");
  const field = path.at(-1) ?? "";
  const word = useFieldName()(field);
  const known = before !== null && !isRef(before) && Object.hasOwn(before, field);
  return (
    <span className="flex flex-wrap items-baseline gap-x-1.5">
      {word && <span className="font-medium text-fg">{word}</span>}
      <span className="font-mono">{word ? field : path.join(".")}</span>
      {known && (
        <span className="ml-auto">
          {t("nowIs")} <ValueText value={before[field]} />
        </span>
      )}
    </span>
  );
}

/** Restores the focus when a decision made elsewhere removes the focused control. */
function useFocusKept(status: Status): void {
  const before = useRef(status);
  // The outside system is the browser's focus.
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    if (document.activeElement === document.body) document.getElementById(TITLE_ID)?.focus({ preventScroll: true });
  }, [status]);
}

/** Minimum time between two updates, ms: a run can write many events per second. */
const PACE = 2_000;

/** The session of a request: live while it is pending, else at the step of the decision. */
function useSession({ conversation_id, decided_seq }: ListedConfirmation) {
  const waits = decided_seq === null;
  const { data, isError, refetch } = useQuery({
    queryKey: ["session", conversation_id, decided_seq],
    queryFn: ({ signal }) =>
      callApi<View>(`/api/conversations/${encodeURIComponent(conversation_id)}/view`, {
        query: { at: decided_seq },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    // Stays on screen until the step of the decision is loaded.
    placeholderData: (before, query) => (query?.queryKey[1] === conversation_id ? before : undefined),
  });

  useLiveRefresh({
    keys: [["session", conversation_id, null]],
    pace: PACE,
    conversationId: waits ? conversation_id : null,
  });
  const session = useMemo(() => data && fromView(data), [data]);
  return { session, failed: isError, retry: () => void refetch() };
}
