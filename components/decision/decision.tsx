"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import type { Confirmation } from "@/lib/session/session.ts";
import { ChangedRequest } from "./changed-request.tsx";
import { DenyForm } from "./deny-form.tsx";
import { EditForm } from "./edit-form.tsx";
import { PartlyApproved, useHasApproved } from "./partly-approved.tsx";
import { PendingLine } from "./pending-line.tsx";
import { ResultForm } from "./result-form.tsx";
import { type Decide, useDecide } from "./use-decide.ts";
import { useReviewedRequest } from "./use-reviewed-request.ts";

/** The decision on a parked call (P22, P23). Not available in a replay. */
export function Decision({ confirmation }: { confirmation: Confirmation }) {
  const following = useStudio((state) => state.following);
  if (confirmation.status !== "requested") return null;
  if (!following) return <LookingBack />;
  return (
    <RequirePermission permission="decide" otherwise="words" className="mt-1">
      <Choice key={confirmation.id} confirmation={confirmation} />
    </RequirePermission>
  );
}

function LookingBack() {
  const t = useTranslations("decision");
  const goLive = useStudio((state) => state.goLive);
  const jump = useStudio((state) => state.jump);
  return (
    <button
      type="button"
      onClick={() => jump(goLive)}
      className="mt-1 min-h-6 text-11 text-fg-2 underline underline-offset-2 hover:text-fg"
    >
      {t("goLive")}
    </button>
  );
}

type Form = "edit" | "deny" | "result";

function Choice({ confirmation }: { confirmation: Confirmation }) {
  const decide = useDecide(confirmation);
  const { before, accept } = useReviewedRequest(confirmation);
  const [form, setForm] = useState<Form | null>(null);
  /** The form that was closed: the focus returns to its button. */
  const [left, setLeft] = useState<Form | null>(null);
  const open = (next: Form | null) => {
    setLeft(form);
    setForm(next);
  };
  const back = () => open(null);
  if (before) {
    const seen = () => {
      back();
      accept();
    };
    return <ChangedRequest before={before} now={confirmation} onSeen={seen} />;
  }
  switch (form) {
    case null:
      return <Buttons confirmation={confirmation} decide={decide} left={left} onOpen={open} />;
    case "edit":
      return <EditForm confirmation={confirmation} decide={decide} onBack={back} />;
    case "deny":
      return <DenyForm confirmation={confirmation} decide={decide} onBack={back} />;
    case "result":
      return <ResultForm confirmation={confirmation} decide={decide} onBack={back} />;
    default:
      return form satisfies never;
  }
}

interface ButtonsProps {
  confirmation: Confirmation;
  decide: Decide;
  left: Form | null;
  onOpen: (form: Form) => void;
}

function Buttons({ confirmation, decide, left, onOpen }: ButtonsProps) {
  const t = useTranslations("decision");
  const interrupted = confirmation.cause === "interrupted";
  const second = interrupted ? "result" : "edit";
  const { busy, pending } = decide;
  const hasApproved = useHasApproved(confirmation);
  if (pending) return <PendingLine pending={pending} />;
  return (
    <div className="mt-2 flex flex-wrap gap-1.5 phone:gap-2">
      {confirmation.approvals && (
        <p className="w-full text-fg-2">
          <PartlyApproved approvals={confirmation.approvals} />
        </p>
      )}
      {/* Running a call again may repeat its effect, so it is not the primary action. */}
      <Button
        variant={interrupted ? "plain" : "primary"}
        disabled={busy || hasApproved}
        onClick={() => decide.submit({ decision: "approve" })}
      >
        {hasApproved ? t("youApproved") : interrupted ? t("runAgain") : t("approve")}
      </Button>
      {(interrupted || !confirmation.approvals) && (
        <Button autoFocus={left === second} disabled={busy} onClick={() => onOpen(second)}>
          {t(second)}
        </Button>
      )}
      <Button variant="danger" autoFocus={left === "deny"} disabled={busy} onClick={() => onOpen("deny")}>
        {t("deny")}
      </Button>
    </div>
  );
}
