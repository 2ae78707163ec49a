"use client";

import { useState } from "react";
import { type Decidable, requestKey } from "./pending.ts";

/** Form inputs by request, kept for the lifetime of the tab. */
export type RequestInput<Value> = Map<string, Value>;

/** The form input of a request, restored when it is selected again. A changed request has no input. */
export function useRequestInput<Value>(
  typed: RequestInput<Value>,
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
