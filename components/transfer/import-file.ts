import { addressOf, callApi } from "@/components/client/api.ts";
import { sendFile } from "@/components/client/send-file.ts";
import { type ImportAnswer, type ImportState, type ImportTransfer, outcomeOf } from "./transfer.ts";
import type { Doing, ImportChoice } from "./transfers.ts";

/** The poll interval of the server's progress, ms. */
const ASK_MS = 400;

/** Uploads a file for import and reports the progress of both sides. Throws what `sendFile` throws. */
export async function importFile(
  file: File,
  id: string,
  { opensAlerts }: ImportChoice,
  { tell, signal }: Doing<ImportTransfer>,
): Promise<void> {
  const asking = setInterval(() => void ask(), ASK_MS);
  const ask = async () => {
    // The import has not started, or has ended: the response is on its way.
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
