"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { saveFile } from "@/components/client/save-file.ts";
import { addressOfStep } from "@/components/replay/address.ts";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { COPIED_MS, copyPicture } from "../export/copy-picture.ts";
import { statusAt } from "./at-step.ts";
import type { MapLayout } from "./layout.ts";
import type { Links } from "./links.ts";
import { useRunName } from "./map-band.tsx";
import { useBrief } from "./use-brief.ts";

/** Exports the map at the current step as an image, with the page's colors and language (C4). */
export function MapExport({ layout, links, at }: { layout: MapLayout | null; links: Links; at: number }) {
  const t = useTranslations("graph");
  const store = useStudioStore();
  const brief = useBrief();
  const name = useRunName();
  const save = useMutation({
    mutationFn: async (kind: "copy" | "svg" | "png") => {
      if (!layout) return;
      const svg = async () => {
        const [{ writers }, { writeMapSvg }] = await Promise.all([
          import("../export/writers.ts"),
          import("./map-svg.ts"),
        ]);
        const plain = writeMapSvg(layout, links, {
          title: t("map.label"),
          palette: writers.pagePalette(),
          measure: writers.pageMeasure(),
          headOf: (band) => ({ name: name(band), words: band.run.words?.text ?? "" }),
          statusOf: (call) => statusAt(call, at),
          textOf: brief,
        });
        return writers.embedFonts(plain);
      };
      const png = async () => (await import("../export/png.ts")).drawPng(await svg(), layout);
      if (kind === "copy") return copyPicture(png(), addressOfStep(at));
      const { conversationId } = store.getState();
      const file = `${conversationId.replace(/[^\w.-]+/g, "-").slice(0, 80) || "session"}-map-${at}.${kind}`;
      if (kind === "svg") saveFile(new Blob([await svg()], { type: "image/svg+xml" }), file);
      else saveFile(await png(), file);
    },
    onSuccess: (_, kind) => {
      if (kind === "copy") setTimeout(save.reset, COPIED_MS);
    },
  });
  const isCopied = save.isSuccess && save.variables === "copy";
  return (
    <>
      <Menu
        align="end"
        label={t("map.export")}
        className="inline-flex size-[var(--control)] flex-none items-center justify-center rounded-2 text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-active"
        trigger={<Icon name={isCopied ? "check" : "export"} />}
      >
        {(["copy", "svg", "png"] as const).map((kind) => (
          <MenuItem key={kind} disabled={!layout || save.isPending} onSelect={() => save.mutate(kind)}>
            {t(`export.${kind}`)}
          </MenuItem>
        ))}
      </Menu>
      <span role="status" className="sr-only">
        {isCopied ? t("export.copied") : ""}
      </span>
      {save.isError && (
        <span role="alert" className="text-st-failed">
          {t("export.failed")}
        </span>
      )}
    </>
  );
}
