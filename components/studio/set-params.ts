/** Writes parameters of the address in place; an empty one is taken away. */
export function setParams(values: Record<string, string>): void {
  const params = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  window.history.replaceState(null, "", text === "" ? window.location.pathname : `?${text}`);
}

/** The same for one. */
export function setParam(name: string, value: string): void {
  setParams({ [name]: value });
}
