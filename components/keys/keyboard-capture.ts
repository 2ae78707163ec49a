/** Keys typed since the keyboard is captured; null when it is not. */
let typed: string | null = null;
let giveUp: () => void = () => undefined;

/**
 * Captures the keyboard for a dialog that is still loading, so that keys do not act on the page below. It ends when the
 * dialog opens, or with Escape, which cancels it.
 */
export function captureKeys(onGivenUp: () => void): void {
  giveUp = onGivenUp;
  if (typed !== null) return;
  typed = "";
  addEventListener("keydown", take, true);
}

/** Releases the keyboard and returns what was typed. */
export function releaseKeys(): string {
  const text = typed ?? "";
  typed = null;
  removeEventListener("keydown", take, true);
  return text;
}

function take(event: KeyboardEvent): void {
  if (typed === null || document.querySelector("dialog:modal")) {
    releaseKeys();
    return;
  }
  // Keys with Ctrl or ⌘ are left to the browser.
  if (event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.key === "Escape") {
    releaseKeys();
    giveUp();
  } else if (event.key === "Backspace") typed = typed.slice(0, -1);
  else if (event.key.length === 1) typed += event.key;
}
