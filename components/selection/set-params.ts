import { currentSearch, withParams, writeSearch } from "@/components/client/address.ts";

/** Sets parameters of the address; empty ones are removed. */
export function setParams(values: Record<string, string>): void {
  writeSearch(withParams(new URLSearchParams(currentSearch()), values));
}

/** The same for one parameter. */
export function setParam(name: string, value: string): void {
  setParams({ [name]: value });
}
