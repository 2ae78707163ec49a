import { beforeAll, describe, expect, it } from "vitest";
import { type CallerName, marksOf, PAGES } from "../api/setup/matrix.ts";
import { addPeople, type Credentials, signIn } from "../api/setup/people.ts";
import { withServer } from "../api/setup/server.ts";

let callers: Map<CallerName, Credentials>;
// A server whose front accepts every page: the pages must refuse by themselves.
const server = withServer(
  {
    OBELUS_AUTH: "1",
    OBELUS_LOG_LEVEL: "silent",
    NODE_OPTIONS: `--import=${new URL("open-gate.ts", import.meta.url).href}`,
  },
  {
    prepare: async (dataDir) => {
      callers = await addPeople(dataDir);
    },
  },
);
beforeAll(() => signIn(server.url, callers));

/** One caller of each kind. */
const TRIED: readonly CallerName[] = ["nobody", "viewer", "ingest", "admin"];
/** Pages without data of the server. */
const WITHOUT_DATA = ["/api-docs", "/forbidden", "/plans"];

describe("Security: pages check permissions again", () => {
  it("shows no page without permission, if the front has let a request through", async () => {
    const answered: Record<string, number> = {};
    for (const [row, marks] of Object.entries(PAGES))
      for (const [caller, mark] of marksOf(marks)) {
        if (!TRIED.includes(caller) || WITHOUT_DATA.includes(row)) continue;
        // The page, and its parts as requested by the browser.
        for (const [query, headers] of [
          ["", {}],
          ["?_rsc", { rsc: "1" }],
        ] as const) {
          const address = `${server.url}${row.replaceAll(/\[\w+\]/g, "no-such")}${query}`;
          const answer = await fetch(address, { redirect: "manual", headers: { ...headers, ...callers.get(caller) } });
          const text = await answer.text();
          // Parts have status 200 and contain the error.
          const refused = answer.status === 500 || (query !== "" && /:E\{"digest":"\d/.test(text));
          if (refused !== (mark !== "+")) answered[`${row}${query} by ${caller}`] = answer.status;
        }
      }
    expect(answered).toEqual({});
  });
});
