/** The path of a request's address, without its query, which may hold what people look for. */
export function pathOf(url = "/"): string {
  return url.split("?", 1)[0] ?? "/";
}
