/** Downloads a blob under a file name. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  saveAddress(address, name);
  URL.revokeObjectURL(address);
}

/** Downloads an address; without a name, under the one in the response. */
export function saveAddress(address: string, name = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

declare global {
  interface Window {
    /** Only in some browsers, and only in secure contexts. */
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  }
}

/** Asks for a file that can be written in chunks; null when the dialog was cancelled. */
export async function chooseFile(name: string): Promise<FileSystemFileHandle | null | "unsupported"> {
  if (!window.showSaveFilePicker) return "unsupported";
  try {
    return await window.showSaveFilePicker({ suggestedName: name });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null;
    throw error;
  }
}
