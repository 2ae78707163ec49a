/** Whether the server has said that nobody is signed in here any more. */
let signedOut = false;
/** How often that has changed. */
let changes = 0;
const listeners = new Set<() => void>();

/**
 * Called when a request is sent; the function that it returns notes the status of the answer. 401 says that nobody is signed
 * in, a granted request that somebody is. Ignored is the answer to a request that was sent before this last changed: taken for
 * news, it made the page go on with a sign-in that had ended, which led to the sign-in page and lost what was typed.
 */
export function watchAnswer(): (status: number) => void {
  const sentAt = changes;
  return (status) => {
    if (sentAt !== changes) return;
    if (status === 401) noteSignedOut(true);
    else if (status < 400) noteSignedOut(false);
  };
}

/** Notes whether nobody is signed in any more. */
export function noteSignedOut(now: boolean): void {
  if (now === signedOut) return;
  signedOut = now;
  changes += 1;
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
