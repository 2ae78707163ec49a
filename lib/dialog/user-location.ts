import { z } from "zod";
import type { Events } from "../../db/repositories.ts";
import { identifier } from "../session/events/catalogue.ts";

/** The default time zone (D8). */
export const DIALOG_ZONE = "Europe/Moscow";

/** The location of a conversation's user. */
export interface UserLocation {
  /** Null if unknown. */
  timezone: string | null;
  household_id: string | null;
}

export const NOWHERE: UserLocation = { timezone: null, household_id: null };

/** The fields in the conversation's metadata; invalid ones are ignored. */
const described = z.object({
  metadata: z.object({
    timezone: z.string().min(1).max(200).optional().catch(undefined),
    household_id: identifier.optional().catch(undefined),
  }),
});

/** The user's location (H1): `metadata.timezone` and `metadata.household_id` of the conversation's first event. */
export async function userLocation(events: Pick<Events, "list">, conversationId: string): Promise<UserLocation> {
  const [first] = await events.list(conversationId, { after: 0, limit: 1 });
  const told = first?.type === "conversation.created" ? described.safeParse(first.payload).data?.metadata : undefined;
  return { timezone: told?.timezone ?? null, household_id: told?.household_id ?? null };
}
