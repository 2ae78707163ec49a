"use client";

import { useTranslations } from "next-intl";
import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { sendApi } from "@/components/client/api.ts";
import { captureKeys, releaseKeys } from "@/components/keys/keyboard-capture.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { onAccountAsked } from "./account-events.ts";
import { CallerWatch } from "./caller-watch.tsx";

const PasswordDialog = onDemand(async () => (await import("./password-dialog.tsx")).PasswordDialog);
const AbsenceDialog = onDemand(async () => (await import("./absence-dialog.tsx")).AbsenceDialog);

/** A dialog that is rarely used, so loaded when it is opened. Until then the keys are held, and released if it cannot be loaded. */
function onDemand(load: () => Promise<ComponentType<{ onClose: () => void }>>) {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      releaseKeys();
      throw error;
    }
  });
}

/** Rendered on every page for signed-in users: the dialogs of password and absence, sign-out, and its errors. */
export function AccountHost() {
  const [asksPassword, setAsksPassword] = useState(false);
  const [asksAbsence, setAsksAbsence] = useState(false);
  const [failed, setFailed] = useState(false);

  // The outside system is the window's events.
  useEffect(
    () =>
      onAccountAsked({
        password: () => {
          captureKeys(() => setAsksPassword(false));
          setAsksPassword(true);
        },
        absence: () => {
          captureKeys(() => setAsksAbsence(false));
          setAsksAbsence(true);
        },
        signOut: () => void signOut().catch(() => setFailed(true)),
      }),
    [],
  );

  return (
    <>
      <CallerWatch />
      {failed && <StillSignedIn onClose={() => setFailed(false)} />}
      {asksPassword && (
        <Suspense>
          <PasswordDialog onClose={() => setAsksPassword(false)} />
        </Suspense>
      )}
      {asksAbsence && (
        <Suspense>
          <AbsenceDialog onClose={() => setAsksAbsence(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Ends the browser session. A full navigation, so that no loaded data stays in memory. */
async function signOut(): Promise<void> {
  await sendApi("/api/sign-out", { method: "POST" });
  window.location.assign("/sign-in");
}

function StillSignedIn({ onClose }: { onClose: () => void }) {
  const t = useTranslations("access");
  return (
    <div
      role="alert"
      className="fixed inset-x-0 top-[calc(var(--h-header)+8px)] z-20 mx-auto flex w-fit max-w-[94vw] items-center gap-2.5 rounded-2 border border-line-strong bg-raised py-1.5 pr-2 pl-3 shadow-3"
    >
      <Icon name="unreachable" size={14} className="text-st-failed" />
      <span className="text-pretty">{t("menu.failed")}</span>
      <Button onClick={onClose}>{t("password.close")}</Button>
    </div>
  );
}
