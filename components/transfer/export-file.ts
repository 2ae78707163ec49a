import { sendApi } from "@/components/client/api.ts";
import { chooseFile, saveAddress } from "@/components/client/save-file.ts";
import type { ExportTransfer } from "./transfer.ts";
import type { Doing } from "./transfers.ts";

/** What is exported to which file. */
interface Target {
  address: string;
  name: string;
  file: FileSystemFileHandle;
}

/** The first bytes of each conversation; no JSON string contains them, because quotes are escaped. */
const HEADER = '{"format":"obelus.conversation"';

/** Asks for a file. Null when cancelled, or when the browser downloads it itself. */
export async function chooseTarget(address: string, name: string): Promise<Target | null> {
  const file = await chooseFile(name);
  if (file === "unsupported") saveAddress(address);
  return file === "unsupported" || file === null ? null : { address, name: file.name, file };
}

/** Streams the response to the file with backpressure; a cancelled export leaves no file. */
export async function exportTo({ address, file }: Target, { tell, signal }: Doing<ExportTransfer>): Promise<void> {
  const response = await sendApi(address, { signal });
  const total = Number(response.headers.get("obelus-conversations") ?? 1);
  tell({ total });
  // Other files are of one conversation.
  const isList = response.headers.get("content-type")?.includes("ndjson") ?? false;
  const counted = countedThrough((bytes, conversations) => tell({ bytes, conversations: isList ? conversations : 1 }));
  await response.body?.pipeThrough(counted).pipeTo(await file.createWritable(), { signal });
}

/** A transform that counts bytes and conversations. */
export function countedThrough(
  tell: (bytes: number, conversations: number) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder("latin1");
  let bytes = 0;
  let conversations = 0;
  let end = "";
  return new TransformStream({
    transform(chunk, controller) {
      const text = end + decoder.decode(chunk);
      bytes += chunk.byteLength;
      conversations += text.split(HEADER).length - 1;
      end = text.slice(-(HEADER.length - 1));
      tell(bytes, conversations);
      controller.enqueue(chunk);
    },
  });
}
