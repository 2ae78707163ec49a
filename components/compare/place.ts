/** The parts of the comparison. */
export const TABS = ["overview", "messages", "plan", "calls", "state", "steps"] as const;
export type Tab = (typeof TABS)[number];

/** The selection on the page. Its only store is the address. */
export interface Place {
  a: string | null;
  b: string | null;
  tab: Tab;
  /** The steps at which states are compared; null for both ends. */
  steps: { a: number; b: number } | null;
  /** Equal parts are hidden. */
  only: boolean;
  /** The index of the pair of plans in the graph; null for the first that differs. */
  plan: number | null;
  /** The selected call of these plans, or the selected state path. */
  call: string | null;
  path: string | null;
}

/** Reads the selection from search parameters; invalid ones are ignored. */
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

/** A changed selection; another conversation resets steps and plans. */
export function changed(place: Place, change: Partial<Place>): Place {
  const isOther = change.a !== undefined || change.b !== undefined;
  return { ...place, ...(isOther && { steps: null, plan: null, call: null, path: null }), ...change };
}
