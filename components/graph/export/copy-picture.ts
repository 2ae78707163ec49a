/** How long it is shown that a picture was copied, ms. */
export const COPIED_MS = 2_000;

/**
 * Copies a picture with a link to what it shows: programs for pictures paste the picture, those for text the link.
 * Throws where the browser has no clipboard for pictures, as on plain HTTP other than localhost.
 */
export async function copyPicture(picture: Promise<Blob>, link: string): Promise<void> {
  // The picture may be a promise: Safari allows nothing to be awaited between the press and this.
  await navigator.clipboard.write([
    new ClipboardItem({ "image/png": picture, "text/plain": new Blob([link], { type: "text/plain" }) }),
  ]);
}
