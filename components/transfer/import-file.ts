import { addressOf, callApi } from "@/components/client/api.ts";
import { sendFile } from "@/components/client/send-file.ts";
import { type ImportAnswer, type ImportState, type ImportTransfer, outcomeOf } from "./transfer.ts";
import type { Doing, ImportChoice } from "./transfers.ts";

/** The server is asked so often how far it is. */
const ASK_MS = 400;

/** Sends a file to be imported, and tells how far it and the server are. Throws what `sendFile` throws. */
export async function importFile(
  file: File,
  id: string,
  { opensAlerts }: ImportChoice,
  { tell, signal }: Doing<ImportTransfer>,
): Promise<void> {
  const asking = setInterval(() => void ask(), ASK_MS);
  const ask = async () => {
    // It has not begun there yet, or has ended: the answer is on its way.
    const state = await callApi<ImportState>(`/api/import/${id}`, { signal }).catch(() => null);
    if (state) tell({ state });
  };
  try {
    const answer = await sendFile<ImportAnswer>(
      addressOf("/api/import", { id, alerts: opensAlerts ? "open" : null }),
      file,
      {
        onSent: (sent) => tell({ sent }),
        signal,
      },
    );
    tell({ outcome: outcomeOf(answer) });
  } finally {
    clearInterval(asking);
  }
}
