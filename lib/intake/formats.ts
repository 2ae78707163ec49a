import { chatFormat } from "./chat-import.ts";
import { exportFormat } from "./export-format.ts";
import type { ImportFormat } from "./import-format.ts";

/** Every format that is imported, in the order in which they are asked. The last one takes all, and tells what is taken. */
export const FORMATS: readonly ImportFormat[] = [exportFormat, chatFormat];
