/** Why a provider of OpenID Connect has sent somebody back without a sign-in. */
const SIGN_IN_ERRORS = ["oidc_refused", "oidc_failed", "no_role"] as const;
export type SignInError = (typeof SIGN_IN_ERRORS)[number];

/** The error that an address names; null where it names none that there is. */
export function parseSignInError(text: string | string[] | undefined): SignInError | null {
  return SIGN_IN_ERRORS.find((error) => error === text) ?? null;
}
