/** A plan of a session: run and iteration. */
export interface PlanPlace {
  conversation: string;
  run: string;
  iteration: number;
}

/** The address that opens a session's plan in the playground. */
export function printPlace({ conversation, run, iteration }: PlanPlace): string {
  return `/plans?${new URLSearchParams({ conversation, run, iteration: String(iteration) })}`;
}

/** Reads such an address; null for any other. */
export function parsePlace(search: string): PlanPlace | null {
  const params = new URLSearchParams(search);
  const [conversation, run, iteration] = ["conversation", "run", "iteration"].map((name) => params.get(name));
  if (!conversation || !run || !iteration || !/^\d{1,7}$/.test(iteration)) return null;
  return { conversation, run, iteration: Number(iteration) };
}

/** The query without the place: the selection stays. */
export function withoutPlace(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of ["conversation", "run", "iteration"]) params.delete(name);
  return params.size === 0 ? "" : `?${params}`;
}
