import { deepDelegates } from "./deep-delegates.ts";
import { longSession } from "./long-session.ts";
import { manyConversations } from "./many-conversations.ts";
import type { Choice, Seeding } from "./seeding.ts";
import { widePlan } from "./wide-plan.ts";

/** A kind of data; `size` names the option that says how much of it, and how much there is without it. */
interface Kind {
  make: (choice: Choice) => Seeding;
  size: { option: string; usual: number; most: number } | null;
}

/** What can be seeded, by the name on the command line. */
export const KINDS: Readonly<Record<string, Kind>> = {
  "long-session": { make: longSession, size: { option: "events", usual: 100_000, most: 1_000_000 } },
  // One event holds the whole plan, and a request at most 5 MB.
  "wide-plan": { make: widePlan, size: { option: "calls", usual: 5_000, most: 10_000 } },
  "deep-delegates": { make: deepDelegates, size: null },
  "many-conversations": { make: manyConversations, size: { option: "count", usual: 100_000, most: 1_000_000 } },
};
