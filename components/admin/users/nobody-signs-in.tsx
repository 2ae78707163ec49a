"use client";

import { useTranslations } from "next-intl";
import { CopyField } from "@/components/access/copy-field.tsx";

/** What is to be done so that people sign in on a server that lets everybody in. */
const COMMANDS = { user: "npm run users -- add NAME --role admin", start: "OBELUS_AUTH=1 npm start" } as const;

/** Says that nobody signs in here, and how that is changed. */
export function NobodySignsIn() {
  const t = useTranslations("admin.users.off");
  const code = (words: React.ReactNode) => <code className="font-mono text-11 text-fg">{words}</code>;
  return (
    <section aria-labelledby="nobody-signs-in" className="mb-6 max-w-160 rounded-3 border border-line bg-sunken p-4">
      <h2 id="nobody-signs-in" className="font-semibold text-14">
        {t("title")}
      </h2>
      <p className="mt-1 text-13 text-fg-2 leading-[var(--lh-body)] text-pretty">{t.rich("text", { code })}</p>
      <ol className="mt-3 grid gap-3">
        <li className="grid gap-1">
          <span>{t("first")}</span>
          <CopyField text={COMMANDS.user} name={t("first")} />
        </li>
        <li className="grid gap-1">
          <span>{t("then")}</span>
          <CopyField text={COMMANDS.start} name={t("then")} />
        </li>
      </ol>
    </section>
  );
}
