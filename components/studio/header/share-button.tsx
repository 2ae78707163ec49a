"use client";

import { useTranslations } from "next-intl";
import { addressOfStep } from "@/components/replay/address.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { useCopy } from "../../ui/use-copy.ts";
import { useStudioStore } from "../use-studio.ts";

/** Copies a link to the current view, always with the step, also while following. */
export function ShareButton() {
  const t = useTranslations("studio.share");
  const store = useStudioStore();
  const [outcome, copy] = useCopy();
  const share = () => copy(addressOfStep(store.getState().at));
  return (
    <Button
      variant="ghost"
      className="phone:min-w-11"
      onClick={share}
      aria-label={t("label")}
      title={t("label")}
      data-command=""
    >
      <Icon name={outcome === "copied" ? "check" : "share"} />
      <span className="narrow:hidden">{outcome ? t(outcome) : t("share")}</span>
      <span role="status" className="sr-only">
        {outcome ? t(outcome) : ""}
      </span>
    </Button>
  );
}
