"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { askToImport } from "./transfers.ts";

/** Accepts files dropped anywhere on the page, with an overlay while dragging. */
export function DropTarget() {
  const t = useTranslations("transfer");
  const [isOver, setOver] = useState(false);

  // The outside system is the browser's drag and drop.
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    // dragenter and dragleave fire for every element: the page is left when no element is entered.
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const onDrop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(false);
      askToImport([...event.dataTransfer.files]);
    };
    addEventListener("dragover", onDrag);
    addEventListener("dragleave", onLeave);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", onDrag);
      removeEventListener("dragleave", onLeave);
      removeEventListener("drop", onDrop);
    };
  }, []);

  return isOver ? (
    <div className="pointer-events-none fixed inset-2 z-10 flex items-center justify-center rounded-3 border-2 border-accent border-dashed bg-surface/70">
      <div className="flex flex-col items-center gap-1 rounded-3 border border-line-strong bg-raised p-6 text-center shadow-3">
        <Icon name="import" size={24} className="mb-1 text-accent" />
        <p className="text-14 font-semibold">{t("drop.title")}</p>
        <p className="text-13 text-fg-2">{t("drop.formats")}</p>
      </div>
    </div>
  ) : null;
}
