"use client";

import { useTranslations } from "next-intl";
import { CopyField } from "@/components/access/copy-field.tsx";

const COMMAND = "npm run users -- add NAME --role admin";

/** How to add the first user. */
export function FirstUser() {
  const t = useTranslations("access.sign_in.first");
  return (
    <section aria-labelledby="first-user" className="mb-5 rounded-2 bg-sunken p-3">
      <h2 id="first-user" className="font-semibold">
        {t("title")}
      </h2>
      <p className="mt-0.5 mb-2 text-pretty text-fg-2">{t("text")}</p>
      <CopyField text={COMMAND} name={t("command")} />
      <p className="mt-2 text-fg-2">{t("then")}</p>
    </section>
  );
}
