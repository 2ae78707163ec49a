"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { useBytes } from "../format/use-bytes.ts";
import type { Cited } from "./use-cited.ts";

/** A button that loads a large value, with its size. */
export function LoadButton({ cited, bytes }: { cited: Cited; bytes: number }) {
  const t = useTranslations("studio.load");
  const size = useBytes()(bytes);
  const words = cited.failed ? t("failed", { size }) : t("offer", { size });
  return (
    <Button onClick={cited.load} disabled={cited.loading} className="my-0.5">
      {cited.loading ? t("loading", { size }) : words}
    </Button>
  );
}
