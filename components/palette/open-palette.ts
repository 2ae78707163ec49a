import { captureKeys } from "@/components/keys/keyboard-capture.ts";

const EVENT = "obelus:palette";

/** Opens the palette. */
export function openPalette(): void {
  window.dispatchEvent(new Event(EVENT));
}

/**
 * Listens for `openPalette` and Ctrl+K (⌘K on a Mac). What is typed from then on belongs to the palette, also while it
 * loads; Escape cancels it.
 */
export function onPalette(show: () => void, giveUp: () => void): () => void {
  const open = () => {
    captureKeys(giveUp);
    // A closing palette still has to report it, so the next one opens after it.
    const closing = document.querySelector("dialog[data-palette]:not([open])");
    if (closing) closing.addEventListener("close", show, { once: true });
    else show();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const held = isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    if (event.code !== "KeyK" || !held || event.shiftKey || event.altKey) return;
    event.preventDefault();
    // An open dialog has priority.
    if (!document.querySelector("dialog:modal")) open();
  };
  window.addEventListener(EVENT, open);
  // Captured before text fields, which may use the key.
  window.addEventListener("keydown", onKeyDown, true);
  return () => {
    window.removeEventListener(EVENT, open);
    window.removeEventListener("keydown", onKeyDown, true);
  };
}

/** Whether this is a Mac keyboard. */
export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}
