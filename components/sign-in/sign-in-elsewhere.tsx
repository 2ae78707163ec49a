import { useTranslations } from "next-intl";
import type { SignInError } from "./sign-in-error.ts";

interface SignInElsewhereProps {
  to: string;
  provider: string;
  error: SignInError | null;
  /** Password sign-in is off. */
  isAlone: boolean;
}

/** Sign-in with an OpenID Connect provider, and its error. A plain link, because it leaves the console. */
export function SignInElsewhere({ to, provider, error, isAlone }: SignInElsewhereProps) {
  const t = useTranslations("access.sign_in");
  return (
    <>
      {error && (
        <p role="alert" className="mb-4 rounded-2 bg-st-failed-bg px-2.5 py-2 text-pretty text-st-failed wrap-anywhere">
          {t(`errors.${error}`, { provider })}
        </p>
      )}
      <a
        href={`/api/sign-in/oidc?${new URLSearchParams({ to })}`}
        className="flex min-h-9 items-center justify-center rounded-2 border border-line-strong bg-raised px-2.5 py-1.5 text-center font-medium text-13 wrap-anywhere hover:bg-hover"
      >
        {t("elsewhere", { provider })}
      </a>
      {!isAlone && (
        <p className="my-4 flex items-center gap-3 text-11 text-fg-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {t("or")}
        </p>
      )}
    </>
  );
}
