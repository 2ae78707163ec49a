"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { useStudio, useStudioStore } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { Session } from "@/lib/session/session.ts";

/** Rarely used, so loaded on demand. */
const ForkDialog = dynamic(() => import("./fork-dialog.tsx").then((room) => room.ForkDialog), { loading: () => null });

/** Opens the dialog that forks the conversation at the current step (E9). */
export function ForkButton({ name }: { name: string | null }) {
  const t = useTranslations("fork");
  const store = useStudioStore();
  const at = useStudio((state) => state.session.at);
  const button = useRef<HTMLButtonElement>(null);
  // The session when the dialog was opened: later events do not change what is edited.
  const [session, setSession] = useState<Session | null>(null);
  const label = t("open", { step: at });
  return (
    <>
      <RequirePermission permission="operate">
        <Button
          ref={button}
          variant="ghost"
          className="phone:min-w-11"
          aria-label={label}
          title={label}
          aria-haspopup="dialog"
          data-command=""
          onClick={() => {
            store.getState().pause();
            setSession(store.getState().session);
          }}
        >
          <Icon name="fork" />
          <span className="narrow:hidden">{t("fork")}</span>
        </Button>
      </RequirePermission>
      {session && (
        <ForkDialog
          session={session}
          name={name}
          onClose={() => {
            setSession(null);
            button.current?.focus();
          }}
        />
      )}
    </>
  );
}
