"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import type { LaidOut } from "../layout/use-layout.ts";
import { COPIED_MS } from "./copy-picture.ts";
import { useExport } from "./use-export.ts";

/** Exports the plan at the current step as an image or as Mermaid (C4). */
export function ExportMenu({ laidOut }: { laidOut: LaidOut | undefined }) {
  const t = useTranslations("graph.export");
  const save = useMutation({
    mutationFn: useExport(laidOut),
    onSuccess: (_, kind) => {
      if (kind === "copy") setTimeout(save.reset, COPIED_MS);
    },
  });
  const isCopied = save.isSuccess && save.variables === "copy";
  return (
    <>
      <Menu
        align="end"
        label={t("label")}
        className="inline-flex size-[var(--control)] flex-none items-center justify-center rounded-2 text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-active"
        trigger={<Icon name={isCopied ? "check" : "export"} />}
      >
        {(["copy", "svg", "png", "mermaid"] as const).map((kind) => (
          <MenuItem key={kind} disabled={!laidOut || save.isPending} onSelect={() => save.mutate(kind)}>
            {t(kind)}
          </MenuItem>
        ))}
      </Menu>
      <span role="status" className="sr-only">
        {isCopied ? t("copied") : ""}
      </span>
      {save.isError && (
        <span role="alert" className="text-st-failed">
          {t("failed")}
        </span>
      )}
    </>
  );
}
