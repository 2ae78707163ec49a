// The header menu and the command palette dispatch these events; AccountHost handles them.
const PASSWORD = "obelus:password";
const ABSENCE = "obelus:absence";
const SIGN_OUT = "obelus:sign-out";

/** Opens the dialog that changes the password. */
export function askForPassword(): void {
  window.dispatchEvent(new Event(PASSWORD));
}

/** Opens the dialog that says who looks after what is the reader's while they are away. */
export function askForAbsence(): void {
  window.dispatchEvent(new Event(ABSENCE));
}

/** Signs out of this browser. */
export function askToSignOut(): void {
  window.dispatchEvent(new Event(SIGN_OUT));
}

/** Subscribes to the events. */
export function onAccountAsked(asked: { password: () => void; absence: () => void; signOut: () => void }): () => void {
  window.addEventListener(PASSWORD, asked.password);
  window.addEventListener(ABSENCE, asked.absence);
  window.addEventListener(SIGN_OUT, asked.signOut);
  return () => {
    window.removeEventListener(PASSWORD, asked.password);
    window.removeEventListener(ABSENCE, asked.absence);
    window.removeEventListener(SIGN_OUT, asked.signOut);
  };
}
