import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { asVisit, currentSearch, writeSearch } from "./address.ts";

/** A fake window with an address and history. */
function browser(path: string) {
  const window = Object.assign(new EventTarget(), {
    location: new URL(path, "http://localhost"),
    history: {
      length: 1,
      replaceState: (_data: null, _title: string, to: string) => go(to),
      pushState(_data: null, _title: string, to: string) {
        this.length += 1;
        go(to);
      },
    },
  });
  const go = (to: string) => {
    window.location = new URL(to, window.location);
  };
  vi.stubGlobal("window", window);
  return { go, window };
}

let page: ReturnType<typeof browser>;
beforeEach(() => {
  page = browser("/conversations/c-1?from=7&to=7#main");
});
afterEach(() => vi.unstubAllGlobals());

it("C5: a change is based on the last write, also while Next restores an earlier address", () => {
  writeSearch("?from=7&to=10");
  expect(page.window.location.href).toBe("http://localhost/conversations/c-1?from=7&to=10#main");
  page.go("?from=7&to=7");
  expect(currentSearch()).toBe("?from=7&to=10");
});

it("C5: after navigation, back or forward, a change is based on the new address", () => {
  writeSearch("?from=7&to=10");
  page.go("/conversations/c-2?at=1");
  expect(currentSearch()).toBe("?at=1");
  writeSearch("?at=2");
  page.window.history.length += 1;
  page.go("?at=3");
  expect(currentSearch()).toBe("?at=3");
  writeSearch("?at=4");
  page.go("?at=5");
  page.window.dispatchEvent(new Event("popstate"));
  expect(currentSearch()).toBe("?at=5");
});

it("C5: a visit adds one history entry, whatever it changes, and none without a change", () => {
  const { history } = page.window;
  asVisit(() => writeSearch(currentSearch()));
  expect(history.length).toBe(1);
  asVisit(() => {
    writeSearch("?at=3");
    asVisit(() => writeSearch("?at=3&call=get"));
  });
  expect(history.length).toBe(2);
  writeSearch("?at=4&call=get");
  expect(history.length).toBe(2);
  expect(currentSearch()).toBe("?at=4&call=get");
});
