"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { FormDialog } from "@/components/admin/form-dialog.tsx";
import { FIELD, Labelled } from "@/components/decision/form.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { useJudges } from "@/components/judges/queries.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { LONGEST_SCORE_NAME } from "@/lib/scores/score.ts";
import { useExpectScore } from "../queries.ts";

/** Adds to what has to hold that a score is so high at least; a lower or higher bound of the same score is replaced. */
export function ExpectScore({ name, id }: { name: string; id: string }) {
  const t = useTranslations("suites.case.least");
  const change = useExpectScore(name, id);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-1.5 px-3 pb-3">
      <RequirePermission permission="operate" otherwise="nothing">
        <Button variant="ghost" className="-ml-1.5 self-start" onClick={() => setOpen(true)}>
          {t("open")}
        </Button>
      </RequirePermission>
      {change.isSuccess && (
        <p role="status" className="flex items-center gap-2 text-fg-2">
          <Icon name="succeeded" size={14} className="text-st-succeeded" />
          {t("made", { name: change.variables.name })}
        </p>
      )}
      {isOpen && <ScoreDialog change={change} onClose={() => setOpen(false)} />}
    </div>
  );
}

function ScoreDialog({ change, onClose }: { change: ReturnType<typeof useExpectScore>; onClose: () => void }) {
  const t = useTranslations("suites.case.least");
  const { data: judges = [] } = useJudges();
  const [score, setScore] = useState("");
  const [least, setLeast] = useState("");
  const isWhole = score.trim() !== "" && least.trim() !== "";
  return (
    <FormDialog
      title={t("open")}
      submit={t("it")}
      leave={t("cancel")}
      busy={change.isPending || !isWhole}
      onSubmit={() => change.mutate({ name: score.trim(), at_least: Number(least) }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Labelled label={t("name")}>
        <input
          className={FIELD}
          list="case-scores"
          value={score}
          maxLength={LONGEST_SCORE_NAME}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setScore(target.value)}
        />
      </Labelled>
      <datalist id="case-scores">
        {[...new Set(judges.map((judge) => judge.score))].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <Labelled label={t("at_least")}>
        <input
          className={FIELD}
          type="number"
          step="any"
          value={least}
          onChange={({ target }) => setLeast(target.value)}
        />
      </Labelled>
      <p className="text-fg-2">{t("text")}</p>
      <Refusal error={change.error} />
    </FormDialog>
  );
}
