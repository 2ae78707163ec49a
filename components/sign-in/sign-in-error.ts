/** Errors of an OpenID Connect sign-in. */
const SIGN_IN_ERRORS = ["oidc_refused", "oidc_failed", "no_role"] as const;
export type SignInError = (typeof SIGN_IN_ERRORS)[number];

/** The error in the address; null for none. */
export function parseSignInError(text: string | string[] | undefined): SignInError | null {
  return SIGN_IN_ERRORS.find((error) => error === text) ?? null;
}
