// The header menu and the command palette dispatch these events; AccountHost handles them.
const PASSWORD = "obelus:password";
const SIGN_OUT = "obelus:sign-out";

/** Opens the dialog that changes the password. */
export function askForPassword(): void {
  window.dispatchEvent(new Event(PASSWORD));
}

/** Signs out of this browser. */
export function askToSignOut(): void {
  window.dispatchEvent(new Event(SIGN_OUT));
}

/** Subscribes to the events. */
export function onAccountAsked(asked: { password: () => void; signOut: () => void }): () => void {
  window.addEventListener(PASSWORD, asked.password);
  window.addEventListener(SIGN_OUT, asked.signOut);
  return () => {
    window.removeEventListener(PASSWORD, asked.password);
    window.removeEventListener(SIGN_OUT, asked.signOut);
  };
}
