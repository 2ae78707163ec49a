"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";

/** Opens the browser's print dialog, which also saves PDFs. */
export function PrintButton() {
  const t = useTranslations("transcript");
  return (
    <Button variant="primary" data-command="" onClick={() => window.print()}>
      {t("print")}
    </Button>
  );
}
