"use client";

import { useTranslations } from "next-intl";
import { ApiProblem } from "@/components/client/api.ts";
import { AskOnce } from "@/components/ui/ask-once.tsx";
import { SaveError } from "./save-error.tsx";
import { useDelete } from "./use-save.ts";

interface DeleteKeyProps {
  agent: string;
  entryKey: string;
  /** The version on screen: a newer one is not deleted. */
  version: number;
  onWritten: (version: number) => void;
}

/** Deletes a key after a confirmation; its history is kept. */
export function DeleteKey({ agent, entryKey, version, onWritten }: DeleteKeyProps) {
  const t = useTranslations("agents.delete");
  const deletion = useDelete(agent, entryKey);
  const { error } = deletion;
  return (
    <AskOnce
      trigger={t("trigger")}
      label={t("label")}
      confirm={t("confirm")}
      keep={t("keep")}
      danger
      busy={deletion.isPending}
      onConfirm={(close) =>
        deletion.mutate(version, {
          onSuccess: () => {
            close();
            // A deletion is a version of its own.
            onWritten(version + 1);
          },
        })
      }
    >
      <p>{t("what")}</p>
      {error instanceof ApiProblem && error.status === 412 ? (
        <p role="alert" className="text-st-failed">
          {t("stale")}
        </p>
      ) : (
        <SaveError error={error} />
      )}
    </AskOnce>
  );
}
