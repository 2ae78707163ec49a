import { holdKeys } from "@/components/keys/opening.ts";

const EVENT = "obelus:palette";

/** Opens the palette from anywhere on the page. */
export function openPalette(): void {
  window.dispatchEvent(new Event(EVENT));
}

/**
 * Hears when the palette is asked for: by `openPalette`, or by Ctrl K, which is ⌘ K on a Mac. What is typed from then on is
 * the palette's, also while it is still loading; Escape gives it up.
 */
export function onPalette(show: () => void, giveUp: () => void): () => void {
  const open = () => {
    holdKeys(giveUp);
    // One that is closing has still to tell so: the next one comes after it.
    const closing = document.querySelector("dialog[data-palette]:not([open])");
    if (closing) closing.addEventListener("close", show, { once: true });
    else show();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const held = isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    if (event.code !== "KeyK" || !held || event.shiftKey || event.altKey) return;
    event.preventDefault();
    // What a dialog asks comes first.
    if (!document.querySelector("dialog:modal")) open();
  };
  window.addEventListener(EVENT, open);
  // Before a text field, which may have the key for itself.
  window.addEventListener("keydown", onKeyDown, true);
  return () => {
    window.removeEventListener(EVENT, open);
    window.removeEventListener("keydown", onKeyDown, true);
  };
}

/** Whether the keyboard is a Mac's. */
export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}
