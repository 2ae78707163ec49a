import { askToImport } from "./transfers.ts";

/** What a file of conversations may be called. */
const NAMES = ".ndjson,.jsonl,.json,.gz";

/** Lets the reader choose files, and asks how they are to be imported. */
export function chooseFilesToImport(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = NAMES;
  input.onchange = () => askToImport([...(input.files ?? [])]);
  input.click();
}
