"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useState, useSyncExternalStore } from "react";
import { ApiProblem, sendApi } from "@/components/client/api.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";

/** A larger field than elsewhere. */
const FIELD =
  "block h-9 w-full rounded-2 border border-line-control bg-surface px-2.5 text-13 text-fg aria-invalid:border-st-failed";

const neverChanges = () => () => undefined;

/** Name and password. The fields are uncontrolled, so that text typed before hydration is kept. */
export function SignInForm({ to }: { to: string }) {
  const t = useTranslations("access.sign_in");
  // Disabled until hydration: the form's native submit would put the password into the address.
  const runs = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const [isShown, setShown] = useState(false);
  const [hasCaps, setCaps] = useState(false);
  const signIn = useMutation({
    mutationFn: (body: { name: string; password: string }) => sendApi("/api/sign-in", { method: "POST", body }),
    // A full navigation, so that pages are rendered for the signed-in user.
    onSuccess: () => window.location.assign(to),
  });
  const wait = signIn.error instanceof ApiProblem ? signIn.error.retryAfter : null;
  const left = useSecondsLeft(wait, signIn.submittedAt);
  const busy = signIn.isPending || signIn.isSuccess;
  const submit = (data: FormData) => {
    if (!busy && left === 0) signIn.mutate({ name: String(data.get("name")), password: String(data.get("password")) });
  };
  const isWrong = signIn.error instanceof ApiProblem && signIn.error.status === 401;
  const onKey = (event: KeyboardEvent) => setCaps(event.getModifierState("CapsLock"));
  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <label className="block">
        <span className="mb-1 block text-fg-2">{t("name")}</span>
        <input
          name="name"
          required
          // biome-ignore lint/a11y/noAutofocus: the page is there for nothing else
          autoFocus
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          aria-invalid={isWrong || undefined}
          className={FIELD}
        />
      </label>
      <div>
        <label htmlFor="password" className="mb-1 block text-fg-2">
          {t("password")}
        </label>
        <div className="relative">
          <input
            id="password"
            name="password"
            type={isShown ? "text" : "password"}
            required
            autoComplete="current-password"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={1_000}
            aria-invalid={isWrong || undefined}
            aria-describedby={hasCaps ? "caps" : undefined}
            onKeyDown={onKey}
            onKeyUp={onKey}
            onBlur={() => setCaps(false)}
            className={`${FIELD} pr-10`}
          />
          <button
            type="button"
            aria-label={isShown ? t("hide") : t("show")}
            title={isShown ? t("hide") : t("show")}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-1 right-1 inline-flex w-7 items-center justify-center rounded-1 text-fg-3 hover:bg-hover hover:text-fg"
          >
            <Icon name={isShown ? "hide" : "show"} />
          </button>
        </div>
        <p id="caps" role="status" className="mt-1 text-11 text-st-waiting empty:hidden">
          {hasCaps && t("caps")}
        </p>
      </div>
      <Fault error={signIn.error} left={left} />
      <Button type="submit" variant="primary" disabled={!runs || busy || left > 0} className="h-9! w-full text-13">
        {t(busy ? "busy" : "submit")}
      </Button>
    </form>
  );
}

/** The error, as a sentence. */
function Fault({ error, left }: { error: Error | null; left: number }) {
  const t = useTranslations("access.sign_in");
  if (!error) return null;
  return (
    <p
      role="alert"
      // The countdown is announced once, not every second.
      aria-live={left > 0 ? "off" : "assertive"}
      className="rounded-2 bg-st-failed-bg px-2.5 py-2 text-pretty text-st-failed tabular-nums wrap-anywhere"
    >
      {words()}
    </p>
  );

  function words(): string {
    if (!(error instanceof ApiProblem)) return t("away");
    if (left > 0) return t("wait", { seconds: left });
    if (error.status === 401) return t("wrong");
    if (error.status === 429) return t("again");
    return error.status >= 500 ? t("away") : [error.message, ...error.errors.map(({ message }) => message)].join(" ");
  }
}

/** The seconds until a time (epoch ms); 0 when it has passed. */
function useSecondsLeft(wait: number | null, since: number): number {
  const [now, setNow] = useState(0);
  const ends = wait === null ? 0 : since + wait * 1_000;
  const left = Math.max(0, Math.ceil((ends - Math.max(now, since)) / 1_000));
  const isCounting = left > 0;

  // The outside system is the clock.
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isCounting]);

  return left;
}
