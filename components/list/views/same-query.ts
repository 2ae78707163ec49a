/** Whether two queries have the same parameters, in any order. */
export function isSameQuery(a: string, b: string): boolean {
  const sorted = (query: string) =>
    [...new URLSearchParams(query)]
      .map((pair) => pair.join("="))
      .sort()
      .join("&");
  return sorted(a) === sorted(b);
}
