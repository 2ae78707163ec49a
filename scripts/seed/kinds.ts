import { deepDelegates } from "./deep-delegates.ts";
import { longSession } from "./long-session.ts";
import { manyConversations } from "./many-conversations.ts";
import { manyRuns } from "./many-runs.ts";
import { production } from "./production.ts";
import type { Choice, Seeding } from "./seeding.ts";
import { widePlan } from "./wide-plan.ts";

/** A kind of data; `size` has the name and the default of the option for its size. */
interface Kind {
  make: (choice: Choice) => Seeding;
  size: { option: string; usual: number; most: number } | null;
}

/** All kinds by their names on the command line. */
export const KINDS: Readonly<Record<string, Kind>> = {
  "long-session": { make: longSession, size: { option: "events", usual: 100_000, most: 1_000_000 } },
  // One event contains the whole plan, and a request may have 5 MB.
  "wide-plan": { make: widePlan, size: { option: "calls", usual: 5_000, most: 10_000 } },
  "many-runs": { make: manyRuns, size: { option: "calls", usual: 5_000, most: 100_000 } },
  "deep-delegates": { make: deepDelegates, size: null },
  "many-conversations": { make: manyConversations, size: { option: "count", usual: 100_000, most: 1_000_000 } },
  production: { make: production, size: { option: "conversations", usual: 100_000, most: 1_000_000 } },
};
