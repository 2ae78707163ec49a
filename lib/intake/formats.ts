import { chatFormat } from "./chat-import.ts";
import { exportFormat } from "./export-format.ts";
import type { ImportFormat } from "./import-format.ts";
import { otlpFormat } from "./otlp/otlp-file.ts";
import { responsesFormat } from "./responses-format.ts";
import { sgrFormat } from "./sgr-format.ts";

/** All import formats, in the order of detection. The last one accepts everything and reports what is supported. */
export const FORMATS: readonly ImportFormat[] = [exportFormat, otlpFormat, sgrFormat, responsesFormat, chatFormat];
