// The header's menu and the palette ask for these alike; one host answers (account-host.tsx).
const PASSWORD = "obelus:password";
const SIGN_OUT = "obelus:sign-out";

/** Opens the dialog in which the password is changed. */
export function askForPassword(): void {
  window.dispatchEvent(new Event(PASSWORD));
}

/** Signs out of this browser. */
export function askToSignOut(): void {
  window.dispatchEvent(new Event(SIGN_OUT));
}

/** Hears what is asked for. */
export function onAccountAsked(asked: { password: () => void; signOut: () => void }): () => void {
  window.addEventListener(PASSWORD, asked.password);
  window.addEventListener(SIGN_OUT, asked.signOut);
  return () => {
    window.removeEventListener(PASSWORD, asked.password);
    window.removeEventListener(SIGN_OUT, asked.signOut);
  };
}
