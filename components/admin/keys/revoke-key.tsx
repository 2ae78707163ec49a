"use client";

import { useTranslations } from "next-intl";
import { Refusal } from "@/components/decision/refusal.tsx";
import type { ApiKey } from "@/lib/api/shapes.ts";
import { FormDialog } from "../form-dialog.tsx";
import { useRevokeKey } from "./use-keys.ts";

/** Asks once more before a program is cut off. */
export function RevokeKey({ of: { id, name }, onClose }: { of: ApiKey; onClose: () => void }) {
  const t = useTranslations("admin.keys.revoke");
  const revoke = useRevokeKey();
  return (
    <FormDialog
      title={t("open", { name })}
      submit={t("word")}
      leave={t("keep")}
      danger
      busy={revoke.isPending}
      onSubmit={() => revoke.mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="text-pretty text-13 leading-[var(--lh-body)]">{t("what")}</p>
      <Refusal error={revoke.error} />
    </FormDialog>
  );
}
