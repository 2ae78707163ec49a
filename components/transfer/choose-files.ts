import { askToImport } from "./transfers.ts";

/** Accepted file extensions. */
const NAMES = ".ndjson,.jsonl,.json,.gz";

/** Opens the file chooser, then the import dialog. */
export function chooseFilesToImport(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = NAMES;
  input.onchange = () => askToImport([...(input.files ?? [])]);
  input.click();
}
