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
  /** Which pair of plans is drawn, from 0; null: the first that differs. */
  plan: number | null;
  /** A call of these plans, or a state path as text; one of them is selected. */
  call: string | null;
  path: string | null;
}

/** Reads the selection of an address; what it cannot mean is left out. */
export function parsePlace(params: URLSearchParams): Place {
  const plan = params.get("plan") ?? "";
  const steps = /^(\d{1,15})-(\d{1,15})$/.exec(params.get("steps") ?? "");
  return {
    a: params.get("a") || null,
    b: params.get("b") || null,
    tab: TABS.find((tab) => tab === params.get("tab")) ?? "overview",
    steps: steps ? { a: Number(steps[1]), b: Number(steps[2]) } : null,
    only: params.get("only") === "1",
    plan: /^\d{1,7}$/.test(plan) ? Number(plan) : null,
    call: params.get("call"),
    path: params.get("path"),
  };
}

/** The address of a selection. */
export function addressOf({ a, b, tab, steps, only, plan, call, path }: Partial<Place>): string {
  const params = new URLSearchParams();
  if (a) params.set("a", a);
  if (b) params.set("b", b);
  if (tab && tab !== "overview") params.set("tab", tab);
  if (steps) params.set("steps", `${steps.a}-${steps.b}`);
  if (only) params.set("only", "1");
  if (typeof plan === "number") params.set("plan", String(plan));
  if (call) params.set("call", call);
  if (path) params.set("path", path);
  const text = params.toString();
  return text ? `/compare?${text}` : "/compare";
}

/** The selection with a change; other sessions have other steps and plans. */
export function changed(place: Place, change: Partial<Place>): Place {
  const isOther = change.a !== undefined || change.b !== undefined;
  return { ...place, ...(isOther && { steps: null, plan: null, call: null, path: null }), ...change };
}
