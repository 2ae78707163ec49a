"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/admin/form-dialog.tsx";
import { importAsked, leaveAsked } from "./transfers.ts";

/** Asks how files are imported: as history by default. */
export function ImportDialog({ files }: { files: readonly File[] }) {
  const t = useTranslations("transfer.ask");
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
          <li key={index} title={file.name} className="truncate font-medium leading-6">
            {file.name}
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
