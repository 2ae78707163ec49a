import { callApi } from "@/components/client/api.ts";
import type { ListedConfirmation, Page } from "@/lib/api/shapes.ts";

/** As many as the API gives at once. */
const AT_ONCE = 200;

/** How these stand now, however they were decided; one that the server no longer knows is missing. */
export async function readStanding(
  items: readonly ListedConfirmation[],
  signal: AbortSignal,
): Promise<ListedConfirmation[]> {
  const wanted = Map.groupBy(items, ({ conversation_id }) => conversation_id);
  const found = await Promise.all(
    [...wanted].map(([conversationId, asked]) => readConversation(conversationId, new Set(asked.map(idOf)), signal)),
  );
  return found.flat();
}

const idOf = ({ id }: ListedConfirmation) => id;

/** Reads a conversation's confirmations until all that are wanted have come. */
async function readConversation(
  conversationId: string,
  wanted: Set<string>,
  signal: AbortSignal,
): Promise<ListedConfirmation[]> {
  const found: ListedConfirmation[] = [];
  let cursor: string | null = null;
  do {
    const query = { conversation_id: conversationId, cursor, limit: AT_ONCE };
    const page: Page<ListedConfirmation> = await callApi("/api/confirmations", { query, signal });
    found.push(...page.items.filter(({ id }) => wanted.delete(id)));
    cursor = page.next;
  } while (cursor !== null && wanted.size > 0);
  return found;
}
