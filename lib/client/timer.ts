/** A timer. It keeps the process alive only after `hold`. */
export interface Timer {
  cancel(): void;
  /** Keeps the process alive from now on: its result is awaited. */
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

/** A method of the timer in Node and Bun, a function in Deno; browsers need neither. */
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
