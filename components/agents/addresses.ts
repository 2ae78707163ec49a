/** The API address of a value in agent state. */
export function entryAddress(agent: string, key: string): string {
  return `/api/agent-state/${encodeURIComponent(agent)}/${encodeURIComponent(key)}`;
}

/** The API address of a user's memory. */
export function memoryAddress(user: string): string {
  return `/api/memory/${encodeURIComponent(user)}`;
}
