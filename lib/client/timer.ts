/** Something that happens later. It does not keep the process alive unless it is held. */
export interface Timer {
  cancel(): void;
  /** From now on the process waits for it: somebody awaits what it brings. */
  hold(): void;
}

export function later(ms: number, act: () => void): Timer {
  const timer = setTimeout(act, ms);
  mark(timer, "unref");
  return {
    cancel: () => clearTimeout(timer),
    hold: () => mark(timer, "ref"),
  };
}

/** Node and Bun have it on the timer, Deno beside it; browsers need none of it. */
function mark(timer: unknown, wish: "ref" | "unref"): void {
  const deno: unknown = Reflect.get(globalThis, "Deno");
  if (isObject(timer)) callOf(timer, wish);
  else if (isObject(deno)) callOf(deno, `${wish}Timer`, timer);
}

function callOf(owner: object, name: string, ...args: unknown[]): void {
  const method: unknown = Reflect.get(owner, name);
  if (typeof method === "function") Reflect.apply(method, owner, args);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
