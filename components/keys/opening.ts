/** What was typed since the keys are held; null while they are not. */
let typed: string | null = null;
let giveUp: () => void = () => undefined;

/**
 * Takes the page's keys from this very moment, for a dialog that is asked for and not there yet: no key pressed
 * meanwhile does anything on the page below. It ends by itself when the dialog is there, or by Escape, which gives it up.
 */
export function holdKeys(onGivenUp: () => void): void {
  giveUp = onGivenUp;
  if (typed !== null) return;
  typed = "";
  addEventListener("keydown", take, true);
}

/** Gives the keys back, and what was typed meanwhile. */
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
  // Keys with Ctrl or ⌘ are the browser's.
  if (event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.key === "Escape") {
    releaseKeys();
    giveUp();
  } else if (event.key === "Backspace") typed = typed.slice(0, -1);
  else if (event.key.length === 1) typed += event.key;
}
