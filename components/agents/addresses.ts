/** Where the API has one value that an agent keeps. */
export function entryAddress(agent: string, key: string): string {
  return `/api/agent-state/${encodeURIComponent(agent)}/${encodeURIComponent(key)}`;
}

/** Where the API has a user's memory. */
export function memoryAddress(user: string): string {
  return `/api/memory/${encodeURIComponent(user)}`;
}
