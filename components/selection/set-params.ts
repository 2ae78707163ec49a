import { currentSearch, withParams, writeSearch } from "@/components/client/address.ts";

/** Writes parameters of the address in place; an empty one is taken away. */
export function setParams(values: Record<string, string>): void {
  writeSearch(withParams(new URLSearchParams(currentSearch()), values));
}

/** The same for one. */
export function setParam(name: string, value: string): void {
  setParams({ [name]: value });
}
