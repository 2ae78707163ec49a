"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { subscribeLive } from "@/components/client/live.ts";
import { isSignedOut, noteSignedOut, onSignedOut } from "@/components/client/signed-out.ts";
import { Icon } from "@/components/ui/icon.tsx";

/**
 * A banner for a user who was signed out, with a link back to this page after sign-in. The page keeps its state, and
 * continues when somebody signs in in another tab.
 */
export function CallerWatch() {
  const t = useTranslations("access.signed_out");
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams().toString();
  const ended = useSyncExternalStore(onSignedOut, isSignedOut, () => false);
  const hear = useEffectEvent((connection: string) => {
    if (connection === "signed_out") noteSignedOut(true);
    if (connection === "live") noteSignedOut(false);
  });
  const goOn = useEffectEvent(() => {
    // Another user may have signed in, so the page asks who it is.
    if (!isSignedOut()) router.refresh();
  });

  // The outside systems are the stream and the API's answers.
  useEffect(() => subscribeLive({}, { onConnection: (connection) => hear(connection) }), []);
  useEffect(() => onSignedOut(() => goOn()), []);

  if (!ended) return null;
  return (
    <div
      role="alert"
      className="fixed inset-x-0 top-[calc(var(--h-header)+8px)] z-20 mx-auto flex w-fit max-w-[94vw] items-center gap-2.5 rounded-2 border border-line-strong bg-raised py-1.5 pr-2 pl-3 shadow-3"
    >
      <Icon name="lock" size={14} className="text-st-failed" />
      <span className="text-pretty">{t("text")}</span>
      <a
        href={signInAddress(search === "" ? pathname : `${pathname}?${search}`)}
        className="inline-flex h-[var(--control)] flex-none items-center rounded-2 border border-accent bg-accent px-2.25 font-medium text-accent-fg hover:border-accent-hover hover:bg-accent-hover"
      >
        {t("sign_in")}
      </a>
    </div>
  );
}

/** The sign-in page that returns to a page of the console. */
function signInAddress(to: string): string {
  return to === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ to })}`;
}
