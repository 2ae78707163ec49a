import type { KeyboardEvent } from "react";

/**
 * Whether a key submits the text: Enter does, Shift+Enter adds a line. During IME composition Enter belongs to the IME;
 * in Safari only the key code tells.
 */
export function isSubmitKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === "Enter" && !shiftKey && !nativeEvent.isComposing && nativeEvent.keyCode !== 229;
}
