import { getTranslations } from "next-intl/server";
import { PlainPage } from "@/components/shell/plain-page.tsx";

/** The page of an unknown address. */
export default async function NotFound() {
  const t = await getTranslations("common");
  return (
    <PlainPage
      home={t("nav.home")}
      title={t("not_found.title")}
      action={
        <a href="/" className="touch font-medium text-accent underline underline-offset-2">
          {t("not_found.back")}
        </a>
      }
    >
      {t("not_found.text")}
    </PlainPage>
  );
}
