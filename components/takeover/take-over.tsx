"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { AskOnce } from "@/components/ui/ask-once.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { handOver } from "./hand-over.ts";

interface TakeOverProps {
  conversationId: string;
  /** A turn is running or queued, and would be cancelled: this is confirmed first. */
  ends: boolean;
  onTaken: () => void;
}

/** Takes a conversation over from its agent (D11). */
export function TakeOver({ conversationId, ends, onTaken }: TakeOverProps) {
  const t = useTranslations("thread.takeover");
  // The button is unmounted by the event, often before the response: `onTaken` is called anyway.
  const hand = useMutation({ mutationFn: () => handOver(conversationId, "takeover"), onSuccess: onTaken });
  const trigger = (
    <>
      <Icon name="manager" size={14} />
      {t("takeOver")}
    </>
  );
  if (!ends)
    return (
      <RequirePermission permission="operate">
        <Button
          variant="ghost"
          aria-label={t("takeOverLabel")}
          title={t("what")}
          disabled={hand.isPending}
          data-command=""
          onClick={() => hand.mutate()}
        >
          {trigger}
        </Button>
        <Refusal error={hand.error} />
      </RequirePermission>
    );
  return (
    <RequirePermission permission="operate">
      <AskOnce
        trigger={trigger}
        label={t("takeOverLabel")}
        confirm={t("takeOver")}
        keep={t("leave")}
        busy={hand.isPending}
        onConfirm={(close) => hand.mutate(undefined, { onSuccess: close })}
      >
        <p>{t("what")}</p>
        <p>{t("ends")}</p>
        <Refusal error={hand.error} />
      </AskOnce>
    </RequirePermission>
  );
}
