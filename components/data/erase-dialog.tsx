"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/admin/form-dialog.tsx";
import { FIELD, Labelled } from "@/components/decision/form.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import type { Erasure } from "@/lib/api/shapes.ts";
import { useErase } from "./use-erasures.ts";

const KINDS = ["user", "conversation"] as const satisfies readonly Erasure["kind"][];

/** Asks what to erase; the id is repeated to confirm, because an erasure cannot be undone. */
export function EraseDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("data.erase");
  const erase = useErase();
  const [kind, setKind] = useState<Erasure["kind"]>("user");
  const [fault, setFault] = useState<"missing" | "different" | null>(null);
  const submit = (data: FormData) => {
    const [id, again, reason] = ["id", "again", "reason"].map((name) => String(data.get(name)).trim());
    const found = !id ? "missing" : again !== id ? "different" : null;
    setFault(found);
    if (found === null && id) erase.mutate({ kind, id, ...(reason && { reason }) }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={t("title")}
      submit={t("submit")}
      leave={t("leave")}
      danger
      busy={erase.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-pretty text-13 leading-[var(--lh-body)]">{t("what")}</p>
      <fieldset className="flex gap-4">
        <legend className="pb-1 text-11 text-fg-3">{t("kind")}</legend>
        {KINDS.map((one) => (
          <label key={one} className="flex cursor-pointer items-center gap-1.5">
            <input
              type="radio"
              name="kind"
              value={one}
              checked={kind === one}
              onChange={() => setKind(one)}
              className="accent-accent"
            />
            {t(`kinds.${one}`)}
          </label>
        ))}
      </fieldset>
      <p className="-mt-2 text-11 text-pretty text-fg-3">{t(`explains.${kind}`)}</p>
      <Labelled label={t(`ids.${kind}`)} fault={fault === "missing" ? t("missing") : undefined}>
        <input
          name="id"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          aria-invalid={fault === "missing" || undefined}
          className={`${FIELD} font-mono`}
        />
      </Labelled>
      <Labelled label={t("again")} fault={fault === "different" ? t("different") : undefined}>
        <input
          name="again"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          aria-invalid={fault === "different" || undefined}
          className={`${FIELD} font-mono`}
        />
      </Labelled>
      <Labelled label={t("reason")}>
        <input name="reason" autoComplete="off" maxLength={500} className={FIELD} />
      </Labelled>
      <Refusal error={erase.error} />
    </FormDialog>
  );
}
