/** The page of a suite, with a run of it. */
export function suiteAddress(name: string, run: string | null = null, against: string | null = null): string {
  const query = new URLSearchParams({ ...(run !== null && { run }), ...(against !== null && { against }) });
  return withQuery(`/suites/${encodeURIComponent(name)}`, query);
}

/** The page of a case's difference in a run. */
export function caseAddress(name: string, id: string, run: string | null, number: number | null = null): string {
  const query = new URLSearchParams({
    ...(run !== null && { run }),
    ...(number !== null && { try: String(number) }),
  });
  return withQuery(`/suites/${encodeURIComponent(name)}/${encodeURIComponent(id)}`, query);
}

function withQuery(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}
