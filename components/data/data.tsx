"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { AdminFrame } from "@/components/admin/admin-frame.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EraseDialog } from "./erase-dialog.tsx";
import { Erasures } from "./erasures.tsx";
import { Retention } from "./retention.tsx";

/** The Data page: retention and erasures. */
export function DataPage() {
  const t = useTranslations("data");
  const [erasing, setErasing] = useState(false);
  return (
    <AdminFrame
      current="data"
      title={t("title")}
      intro={t("intro")}
      actions={
        <Button variant="danger" data-command="" onClick={() => setErasing(true)} className="h-8! phone:h-11! px-3!">
          {t("erase.open")}
        </Button>
      }
    >
      <Retention />
      <Erasures />
      {erasing && <EraseDialog onClose={() => setErasing(false)} />}
    </AdminFrame>
  );
}
