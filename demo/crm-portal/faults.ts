import type { Json } from "../../lib/session/json/json.ts";

/** An answer that a test wants in the place of the next ones: the call is then not carried out. */
export interface Fault {
  /** In the place of calls of this method; of any when it is absent. */
  method?: string;
  status: number;
  body: Json;
  /** How many more calls it answers. */
  times: number;
}

/** The fault that is to answer a call of `method`, counted down; null when there is none. */
export function takeFault(faults: Fault[], method: string): { status: number; body: Json } | null {
  const fault = faults.find((fault) => fault.times > 0 && (fault.method ?? method) === method);
  if (!fault) return null;
  fault.times -= 1;
  return { status: fault.status, body: fault.body };
}
