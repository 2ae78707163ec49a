"use client";

import { useTranslations } from "next-intl";
import { ChangedRequest } from "@/components/decision/changed-request.tsx";
import type { PendingDecision } from "@/components/decision/pending.ts";
import { PendingLine } from "@/components/decision/pending-line.tsx";
import { useReviewedRequest } from "@/components/decision/use-reviewed-request.ts";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { ActionBar } from "./action-bar.tsx";
import { Detail, type Form } from "./detail.tsx";
import { DetailHead } from "./detail-head.tsx";
import type { Decisions } from "./use-decisions.ts";

interface ItemPaneProps {
  item: ListedConfirmation;
  /** Its index among the shown approvals. */
  index: number;
  /** The total; null while unknown. */
  total: number | null;
  /** Other pending approvals of the same conversation. */
  others: number;
  decisions: Decisions;
  /** It was just selected automatically. */
  held: boolean;
  /** Its decision, while it can be undone. */
  pending: PendingDecision | null;
  onDecide: (decision: "approve" | "deny", reason: string) => void;
  /** With several selected approvals, only bulk decisions are available. */
  marking: boolean;
  form: Form | null;
  onForm: (form: Form | null) => void;
  onMove: (by: number) => void;
  onBack: () => void;
}

/** The selected approval: its details and its actions. */
export function ItemPane(props: ItemPaneProps) {
  const { item, index, total, others, decisions, held, pending, onDecide, marking, form, onForm, onMove, onBack } =
    props;
  const t = useTranslations("approvals");
  const seen = useReviewedRequest(item);
  // The previous request, when the agent has replaced it.
  const before = item.status === "requested" ? seen.before : null;
  return (
    <>
      <DetailHead item={item} index={index} total={total} onMove={onMove} onBack={onBack} />
      <Detail
        key={item.id}
        item={item}
        late={decisions.isLate(item.id)}
        others={others}
        form={before ? null : form}
        onCloseForm={() => onForm(null)}
      />
      {before && (
        <section aria-label={t("decision")} className="action-bar">
          <ChangedRequest before={before} now={item} onSeen={seen.accept} />
        </section>
      )}
      {pending && form === null && (
        <div className="action-bar pending-place">
          <PendingLine pending={pending} />
        </div>
      )}
      {item.status === "requested" && !pending && form === null && !marking && !before && (
        <ActionBar key={`bar ${item.id}`} item={item} busy={held} onDecide={onDecide} onForm={onForm} onBack={onBack} />
      )}
    </>
  );
}
