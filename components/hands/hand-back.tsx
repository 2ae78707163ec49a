"use client";

import { useTranslations } from "next-intl";
import { Needs } from "@/components/access/needs.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { useHandOver } from "./use-hand-over.ts";

/** Hands a conversation back to its agent (D11). */
export function HandBack({ conversationId, onBack }: { conversationId: string; onBack: () => void }) {
  const t = useTranslations("thread.hands");
  const hand = useHandOver(conversationId, onBack);
  return (
    <Needs permission="operate">
      <Button
        variant="ghost"
        aria-label={t("handBackLabel")}
        title={t("handBackLabel")}
        disabled={hand.isPending}
        data-command=""
        onClick={() => hand.mutate("handback")}
      >
        <Icon name="manager" size={14} />
        {t("handBack")}
      </Button>
      <Refusal error={hand.error} />
    </Needs>
  );
}
