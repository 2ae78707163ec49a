import type { Caller } from "./caller.ts";

/** Why something was ended that was under way. By its code: it crosses to Next's bundles, which load files of their own. */
export class RightsEnded extends Error {
  override name = "RightsEnded";
  readonly code = "rights_ended";

  constructor() {
    super("The key was revoked or the session ended during the request; sign in or use a valid key, and send it again");
  }
}

/** Whether callers whose streams are open still have the rights that they came with. */
export interface Watch {
  /** Aborts when the caller's rights end. */
  ended(caller: Caller): AbortSignal;
  /** Looks at once; for when somebody's rights were taken here. */
  look(): Promise<void>;
  stop(): void;
}

/** Commands at the terminal change users and keys, too, and nobody tells the server: so it looks, in ms. */
const EVERY_MS = 500;

const NEVER = new AbortController().signal;

interface Watched {
  caller: Caller;
  end: AbortController;
}

/** Watches callers by `isCurrent`, which asks storage; once for each, however many streams they have. */
export function createWatch(
  isCurrent: (caller: Caller) => Promise<boolean>,
  onFailure: (error: unknown) => void,
): Watch {
  const watched = new Map<string, Watched>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    for (const [name, { caller, end }] of watched) {
      if (await isCurrent(caller)) continue;
      watched.delete(name);
      end.abort(new RightsEnded());
    }
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    ended(caller) {
      const name = nameOf(caller);
      if (name === null) return NEVER;
      const known = watched.get(name);
      if (known) return known.end.signal;
      const end = new AbortController();
      watched.set(name, { caller, end });
      timer ??= setInterval(() => void look().catch(onFailure), EVERY_MS).unref();
      return end.signal;
    },
    look,
    stop: () => clearInterval(timer),
  };
}

/** What rights are kept under: a sign-in or a key. Null for who has none that could end. */
function nameOf(caller: Caller): string | null {
  switch (caller.kind) {
    case "person":
      return caller.sign_in === undefined ? null : `person ${caller.sign_in}`;
    case "key":
      return `key ${caller.id}`;
    case "everybody":
    case "nobody":
      return null;
    default:
      return caller satisfies never;
  }
}
