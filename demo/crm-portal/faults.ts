import type { Json } from "../../lib/session/json/json.ts";

/** An error response that a test injects; the call is not executed. */
export interface Fault {
  /** For calls of this method; for all when undefined. */
  method?: string;
  status: number;
  body: Json;
  /** The number of calls that it still answers. */
  times: number;
}

/** Takes the fault for a call of `method`; null for none. */
export function takeFault(faults: Fault[], method: string): { status: number; body: Json } | null {
  const fault = faults.find((fault) => fault.times > 0 && (fault.method ?? method) === method);
  if (!fault) return null;
  fault.times -= 1;
  return { status: fault.status, body: fault.body };
}
