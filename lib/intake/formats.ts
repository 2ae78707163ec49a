import { chatFormat } from "./chat-import.ts";
import { exportFormat } from "./export-format.ts";
import type { ImportFormat } from "./import-format.ts";
import { otlpFormat } from "./otlp/otlp-file.ts";
import { responsesFormat } from "./responses-format.ts";
import { sgrFormat } from "./sgr-format.ts";

/** Every format that is imported, in the order in which they are asked. The last one takes all, and tells what is taken. */
export const FORMATS: readonly ImportFormat[] = [exportFormat, otlpFormat, sgrFormat, responsesFormat, chatFormat];
