import fc from "fast-check";
import { expect, test } from "vitest";
import { cutDocument } from "./cut.ts";
import { AT, anyDocument, document, EXAMPLE } from "./testing/documents.ts";

test("M12: a document within the limit is unchanged", () => {
  const size = JSON.stringify(EXAMPLE).length;
  expect(cutDocument(EXAMPLE, size)).toEqual(EXAMPLE);
  expect(cutDocument(EXAMPLE, size - 1)).not.toEqual(EXAMPLE);
});

test("M12: over it, the last 5 of done, the objects, the steps and the first 5 pending confirmations are kept", () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const cut = cutDocument(document, 0);
      expect(Object.keys(cut)).toEqual(["done", "in_progress", "objects", "confirmations"]);
      expect(cut.done).toEqual(document.done.slice(-5));
      expect(cut.in_progress).toEqual(document.in_progress);
      expect(cut.objects).toEqual(document.objects);
      const waiting = Object.entries(document.confirmations).filter(([, { status }]) => status === "requested");
      expect(Object.entries(cut.confirmations)).toEqual(waiting.slice(0, 5));
    }),
  );
});

test("M12: of seven pending ones the first 5 are kept", () => {
  const action = { method: "m", params: {} };
  const waiting = { status: "requested", requested_at: AT, description: "a", action };
  const confirmations = Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((key) => [key, waiting]));
  const cut = cutDocument(document({ confirmations: { ...confirmations, b: { ...waiting, status: "denied" } } }), 0);
  expect(Object.keys(cut.confirmations)).toEqual(["a", "c", "d", "e", "f"]);
});
