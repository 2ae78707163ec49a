/** An entry of the allow-list: a host, or a host with its port. IPv6 addresses stand in brackets. */
export const ALLOWED_HOST = /^([\p{L}\p{N}._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/u;

/** Whether HTTP tools may call this address: null, or why not, in words that follow it. */
export type RefuseHost = (url: URL) => string | null;

/** Checks addresses against `OBELUS_HTTP_TOOL_HOSTS`: an entry without a port allows every port of its host. */
export function allowHosts(entries: readonly string[]): RefuseHost {
  const allowed = new Set(entries.map((entry) => entry.toLowerCase()));
  return (url) => {
    const host = `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
    if (allowed.has(url.hostname) || allowed.has(host)) return null;
    return `is on ${host}, which tools may not call; add it to OBELUS_HTTP_TOOL_HOSTS and restart`;
  };
}
