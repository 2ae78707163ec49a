/** What of two sessions is looked at. */
export const TABS = ["overview", "messages", "plan", "calls", "state", "steps"] as const;
export type Tab = (typeof TABS)[number];

/** The page's selection. All of it is in the address, and nowhere else. */
export interface Place {
  a: string | null;
  b: string | null;
  tab: Tab;
  /** The steps at which the states are compared; null for both ends. */
  steps: { a: number; b: number } | null;
  /** What is the same on both sides is left out. */
  only: boolean;
}

/** Reads the selection of an address; what it cannot mean is left out. */
export function parsePlace(params: URLSearchParams): Place {
  const steps = /^(\d{1,15})-(\d{1,15})$/.exec(params.get("steps") ?? "");
  return {
    a: params.get("a") || null,
    b: params.get("b") || null,
    tab: TABS.find((tab) => tab === params.get("tab")) ?? "overview",
    steps: steps ? { a: Number(steps[1]), b: Number(steps[2]) } : null,
    only: params.get("only") === "1",
  };
}

/** The address of a selection. */
export function addressOf({ a, b, tab, steps, only }: Partial<Place>): string {
  const params = new URLSearchParams();
  if (a) params.set("a", a);
  if (b) params.set("b", b);
  if (tab && tab !== "overview") params.set("tab", tab);
  if (steps) params.set("steps", `${steps.a}-${steps.b}`);
  if (only) params.set("only", "1");
  const text = params.toString();
  return text ? `/compare?${text}` : "/compare";
}

/** The selection with a change; other sessions have other steps. */
export function changed(place: Place, change: Partial<Place>): Place {
  const isOther = change.a !== undefined || change.b !== undefined;
  return { ...place, ...(isOther && { steps: null }), ...change };
}
