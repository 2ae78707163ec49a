import type { Caller } from "./caller.ts";

/** Aborts what is in progress when permissions end. Identified by code: Next's bundles load files separately. */
export class RightsEnded extends Error {
  override name = "RightsEnded";
  readonly code = "rights_ended";

  constructor() {
    super("The key was revoked or the session ended during the request; sign in or use a valid key, and send it again");
  }
}

/** Watches whether callers with open streams still have their permissions. */
export interface Watch {
  /** Aborts when the caller's permissions end. */
  ended(caller: Caller): AbortSignal;
  /** Checks at once, after permissions were changed here. */
  look(): Promise<void>;
  stop(): void;
}

/** The polling interval, ms: commands change users and keys without notifying the server. */
const EVERY_MS = 500;

const NEVER = new AbortController().signal;

interface Watched {
  caller: Caller;
  end: AbortController;
}

/** Watches callers by `isCurrent`, which reads storage; once per caller, however many streams they have. */
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

/** The id of the caller's sign-in or key. Null if their permissions cannot end. */
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
