/** Whether the server has answered that the caller is signed out. */
let signedOut = false;
/** The number of changes. */
let changes = 0;
const listeners = new Set<() => void>();

/**
 * Called when a request is sent; the returned function takes the response's status. 401 means signed out, success means
 * signed in. Responses to requests from before the last change are ignored: a late success would hide the banner, and
 * the next navigation would lead to the sign-in page and lose unsaved text.
 */
export function watchAnswer(): (status: number) => void {
  const sentAt = changes;
  return (status) => {
    if (sentAt !== changes) return;
    if (status === 401) noteSignedOut(true);
    else if (status < 400) noteSignedOut(false);
  };
}

/** Records whether the caller is signed out. */
export function noteSignedOut(now: boolean): void {
  if (now === signedOut) return;
  signedOut = now;
  changes += 1;
  for (const changed of listeners) changed();
}

export function isSignedOut(): boolean {
  return signedOut;
}

/** Subscribes to changes. */
export function onSignedOut(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
