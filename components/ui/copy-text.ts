/**
 * Copies a text to the clipboard. Browsers offer the clipboard only on secure origins; a console reached by plain
 * HTTP under another name than localhost copies the older way. Throws when neither works.
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
