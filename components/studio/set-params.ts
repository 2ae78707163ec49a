import { currentSearch, replaceSearch } from "@/components/client/address.ts";

/** Writes parameters of the address in place; an empty one is taken away. */
export function setParams(values: Record<string, string>): void {
  const params = new URLSearchParams(currentSearch());
  for (const [name, value] of Object.entries(values)) {
    if (value === "") params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  replaceSearch(text === "" ? "" : `?${text}`);
}

/** The same for one. */
export function setParam(name: string, value: string): void {
  setParams({ [name]: value });
}
