/** The cookie of what this browser has tried. The server reads it, so that the first paint is right. */
export const WELCOME_COOKIE = "obelus-welcome";

/** What this browser has done of the welcome page. Whether an agent is connected is told by the log. */
export interface Progress {
  /** The newest conversation with the demo agent that has been answered, or waits for approval; null for none. */
  talk: string | null;
  /** The recorded failure was opened. */
  replayed: boolean;
  /** The page is not offered any more. */
  hidden: boolean;
}

/** The progress of a cookie's value; nothing is done without one. */
export function parseProgress(cookie: string | undefined): Progress {
  const stored = new URLSearchParams(cookie ?? "");
  return { talk: stored.get("talk"), replayed: stored.has("replayed"), hidden: stored.has("hidden") };
}

/** The value of the cookie: `talk=welcome-1f&replayed=1`. */
export function formatProgress({ talk, replayed, hidden }: Progress): string {
  const stored = new URLSearchParams();
  if (talk !== null) stored.set("talk", talk);
  if (replayed) stored.set("replayed", "1");
  if (hidden) stored.set("hidden", "1");
  return stored.toString();
}
