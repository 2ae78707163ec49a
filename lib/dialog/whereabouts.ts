import { z } from "zod";
import type { Events } from "../../db/repositories.ts";
import { identifier } from "../session/catalogue.ts";

/** The zone of a dialog for which neither its conversation nor its agent names one (D8). */
export const DIALOG_ZONE = "Europe/Moscow";

/** Where a conversation's user is, as its beginning tells. */
export interface Whereabouts {
  /** Null where it tells none. */
  timezone: string | null;
  household_id: string | null;
}

export const NOWHERE: Whereabouts = { timezone: null, household_id: null };

/** What of a conversation's metadata tells it; what has another form is as if it were not there. */
const described = z.object({
  metadata: z.object({
    timezone: z.string().min(1).max(200).optional().catch(undefined),
    household_id: identifier.optional().catch(undefined),
  }),
});

/** Where the user is (H1): `metadata.timezone` and `metadata.household_id` of the event that a conversation begins with. */
export async function whereabouts(events: Pick<Events, "list">, conversationId: string): Promise<Whereabouts> {
  const [first] = await events.list(conversationId, { after: 0, limit: 1 });
  const told = first?.type === "conversation.created" ? described.safeParse(first.payload).data?.metadata : undefined;
  return { timezone: told?.timezone ?? null, household_id: told?.household_id ?? null };
}
