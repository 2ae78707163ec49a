import { expect, test, vi } from "vitest";
import { runElk } from "./elk-worker.ts";

test("C4: a worker whose script cannot be loaded is noticed at once", async () => {
  vi.stubGlobal(
    "Worker",
    class extends EventTarget {
      postMessage() {
        queueMicrotask(() => this.dispatchEvent(new Event("error")));
      }
      terminate = vi.fn();
    },
  );
  try {
    await expect(runElk({ id: "plan" }, 1, new AbortController().signal)).rejects.toThrow("could not be started");
  } finally {
    vi.unstubAllGlobals();
  }
});
