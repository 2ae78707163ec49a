import { expect, test } from "vitest";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { nextWaiting } from "./use-shown.ts";

const items = (...statuses: ListedConfirmation["status"][]) =>
  statuses.map((status, index) => ({ id: String(index), status }) as ListedConfirmation);

test("C7: after a decision the next pending approval is selected, or the previous one if it was the last", () => {
  const next = (id: string, ...statuses: ListedConfirmation["status"][]) =>
    nextWaiting(items(...statuses), id, () => true)?.id;
  expect(next("0", "requested", "denied", "requested", "requested")).toBe("2");
  expect(next("2", "requested", "requested", "requested", "approved")).toBe("1");
  expect(next("0", "requested")).toBeUndefined();
  expect(next("1", "approved", "requested", "denied")).toBeUndefined();
});
