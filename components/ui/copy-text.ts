/**
 * Copies a text to the clipboard. The Clipboard API requires a secure context; on plain HTTP other than localhost it
 * falls back to execCommand. Throws when neither works.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const carrier = document.createElement("textarea");
  carrier.value = text;
  carrier.className = "sr-only";
  document.body.append(carrier);
  carrier.select();
  const copied = document.execCommand("copy");
  carrier.remove();
  if (!copied) throw new Error("The browser did not let the page copy");
}
