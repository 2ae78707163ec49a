import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { FirstUser } from "@/components/sign-in/first-user.tsx";
import { SignInElsewhere } from "@/components/sign-in/sign-in-elsewhere.tsx";
import { parseSignInError } from "@/components/sign-in/sign-in-error.ts";
import { SignInForm } from "@/components/sign-in/sign-in-form.tsx";
import { SignInFrame } from "@/components/sign-in/sign-in-frame.tsx";
import { ownPath } from "@/lib/access/own-path.ts";
import { requesterOf } from "@/lib/api/request/requester.ts";
import { servicesFor } from "../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("access.sign_in"))("title") };
}

interface SignInPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The sign-in page. Signed-in callers, and all callers while sign-in is off, are redirected. */
export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { to: wanted, error } = await searchParams;
  const to = (typeof wanted === "string" ? ownPath(wanted) : null) ?? "/";
  const { caller } = requesterOf(await headers());
  if (caller.kind !== "nobody") redirect(to);
  const { access, config } = await servicesFor("public");
  const [methods, t] = await Promise.all([access.methods(), getTranslations("access.sign_in")]);
  const provider = providerName(config.access.oidc?.issuer);
  return (
    <SignInFrame title={t("title")}>
      {methods.users === 0 && !methods.oidc && <FirstUser />}
      {methods.oidc && (
        <SignInElsewhere to={to} provider={provider} error={parseSignInError(error)} isAlone={!methods.password} />
      )}
      {methods.password && <SignInForm to={to} />}
    </SignInFrame>
  );
}

/** The provider's host. */
function providerName(issuer: string | undefined): string {
  return issuer === undefined ? "" : new URL(issuer).hostname;
}
