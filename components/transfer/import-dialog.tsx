"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/admin/form-dialog.tsx";
import { importAsked, leaveAsked } from "./transfers.ts";
import { useMegabytes } from "./use-transfer-words.ts";

/** Asks how files are to be imported: what they tell is over, unless the reader says otherwise. */
export function ImportDialog({ files }: { files: readonly File[] }) {
  const t = useTranslations("transfer.ask");
  const megabytes = useMegabytes();
  return (
    <FormDialog
      title={t("title", { count: files.length })}
      submit={t("import")}
      leave={t("leave")}
      onSubmit={(data) => importAsked({ opensAlerts: data.has("alerts") })}
      onClose={leaveAsked}
    >
      <ul className="max-h-40 overflow-y-auto">
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files can have one name, and none of them moves
          <li key={index} className="flex min-h-6 items-center gap-2">
            <span className="min-w-0 flex-1 truncate font-medium" title={file.name}>
              {file.name}
            </span>
            <span className="flex-none text-fg-3 tabular-nums">{megabytes(file.size)}</span>
          </li>
        ))}
      </ul>
      <label className="flex cursor-pointer items-start gap-2 rounded-2 px-1.5 py-1 hover:bg-hover has-checked:bg-active">
        <input type="checkbox" name="alerts" className="mt-0.5 accent-accent" />
        <span>
          <span className="block font-medium">{t("alerts")}</span>
          <span className="block text-11 text-pretty text-fg-3">{t("alertsHint")}</span>
        </span>
      </label>
    </FormDialog>
  );
}
