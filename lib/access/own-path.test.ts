import fc from "fast-check";
import { expect, test } from "vitest";
import { ownPath } from "./own-path.ts";

const SERVER = "https://obelus.example.org";

test("Security: a path of this server is accepted, with query and fragment", () => {
  for (const path of ["/", "/approvals?status=requested#c-1", "/conversations/a%2Fb", "/?q=https://evil.example"]) {
    expect(ownPath(path)).toBe(path);
  }
});

test.each([
  ...[null, undefined, "", "approvals", "https://evil.example", "//evil.example", "///evil.example", "/\\evil.example"],
  ...[
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/ /evil.example",
  ],
  ...["/.//evil.example", "/./\\evil.example", "/x/..//evil.example", "/%2e//evil.example", "/\u0000/evil.example"],
  ...["javascript:alert(1)", "/\u0085/evil.example", "http:evil.example", "/..//evil.example"],
])("Security: %j leads nowhere", (address) => {
  expect(ownPath(address)).toBeNull();
});

test("Security: an accepted path stays on this server, however a browser parses it", () => {
  const tricky = fc.array(
    fc.constantFrom("/", "\\", ".", "..", "%2f", "%5c", "%2e", "\t", "\n", "@", ":", "evil.example", "?", "#"),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        tricky.map((parts) => parts.join("")),
        fc.string(),
      ),
      (rest) => {
        const path = ownPath(`/${rest}`);
        if (path === null) return;
        expect(new URL(path, SERVER).origin).toBe(SERVER);
        // A returned path is accepted again.
        expect(ownPath(path)).toBe(path);
      },
    ),
    { numRuns: 2_000 },
  );
});
