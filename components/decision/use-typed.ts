"use client";

import { useState } from "react";
import { type Decidable, requestKey } from "./pending.ts";

/** What is typed about requests, by the request. A module's own map lives as long as the tab. */
export type Typed<Value> = Map<string, Value>;

/**
 * What is typed about a request: whoever looks at another one meanwhile finds it again. A request that its agent changes is
 * another one.
 */
export function useTyped<Value>(
  typed: Typed<Value>,
  request: Decidable,
  first: () => Value,
): [Value, (next: Value) => void] {
  const key = requestKey(request);
  const [value, setValue] = useState(() => typed.get(key) ?? first());
  const write = (next: Value) => {
    typed.set(key, next);
    setValue(next);
  };
  return [value, write];
}
