/** Hands a file to the browser, which saves it under this name or asks where. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  saveAddress(address, name);
  URL.revokeObjectURL(address);
}

/** Lets the browser save what is at an address, under the name that the answer has where none is given. */
export function saveAddress(address: string, name = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

declare global {
  interface Window {
    /** Only in some browsers, and only on addresses that they trust. */
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  }
}

/** Asks the reader for a file that can be written piece by piece, straight to disk. Null: the reader has chosen none. */
export async function chooseFile(name: string): Promise<FileSystemFileHandle | null | "unsupported"> {
  if (!window.showSaveFilePicker) return "unsupported";
  try {
    return await window.showSaveFilePicker({ suggestedName: name });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null;
    throw error;
  }
}
