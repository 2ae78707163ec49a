import type { KeyboardEvent } from "react";

/**
 * Whether a key sends what is written: Enter does, Shift+Enter begins a new line. While a word is being composed Enter
 * belongs to the input method; Safari tells so by the key's code alone.
 */
export function isSending({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === "Enter" && !shiftKey && !nativeEvent.isComposing && nativeEvent.keyCode !== 229;
}
