/** Whether the server has said that nobody is signed in here any more. */
let signedOut = false;
const listeners = new Set<() => void>();

/** Notes how the server answered: 401 says that nobody is signed in, what it grants that somebody is. */
export function noteAnswer(status: number): void {
  if (status === 401) noteSignedOut(true);
  else if (status < 400) noteSignedOut(false);
}

/** Notes whether nobody is signed in any more. */
export function noteSignedOut(now: boolean): void {
  if (now === signedOut) return;
  signedOut = now;
  for (const changed of listeners) changed();
}

export function isSignedOut(): boolean {
  return signedOut;
}

/** Hears when that changes. */
export function onSignedOut(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
