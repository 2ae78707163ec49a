"use client";

import { useTranslations } from "next-intl";
import { ChangedRequest } from "@/components/decision/changed-request.tsx";
import type { ListedConfirmation } from "@/db/repositories.ts";
import { ActionBar } from "./action-bar.tsx";
import { Detail, type Form } from "./detail.tsx";
import { DetailHead } from "./detail-head.tsx";
import type { Decisions } from "./use-decisions.ts";

interface ItemPaneProps {
  item: ListedConfirmation;
  /** Its place among those shown, from 0. */
  index: number;
  /** How many there are; null while that is unknown. */
  total: number | null;
  /** How many others of the same conversation wait. */
  others: number;
  decisions: Decisions;
  /** It has only just come up by itself. */
  held: boolean;
  /** What is marked is decided together, and not this one alone. */
  marking: boolean;
  form: Form | null;
  onForm: (form: Form | null) => void;
  onMove: (by: number) => void;
  onBack: () => void;
}

/** The one that is looked at: what it is about, and what can be done about it. */
export function ItemPane(props: ItemPaneProps) {
  const { item, index, total, others, decisions, held, marking, form, onForm, onMove, onBack } = props;
  const t = useTranslations("approvals");
  const { refused, before } = decisions;
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
        listener={decisions.listener}
      />
      {before && (
        <section aria-label={t("decision")} className="action-bar">
          <ChangedRequest before={before} now={item} onSeen={decisions.accept} />
        </section>
      )}
      {item.status === "requested" && form === null && !marking && !before && (
        <ActionBar
          key={`bar ${item.id}`}
          item={item}
          busy={decisions.pending || held}
          sending={decisions.pending}
          error={decisions.error}
          refused={refused && (refused.detail ?? t("bulk.unknown"))}
          onApprove={(reason) => decisions.send("approve", reason)}
          onDeny={(reason) => decisions.send("deny", reason)}
          onForm={onForm}
          onBack={onBack}
        />
      )}
    </>
  );
}
