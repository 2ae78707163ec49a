import { expect, test } from "vitest";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { studioAddress } from "./studio-address.ts";

test("C2: an approval links to its conversation at its step and call", () => {
  const asked = {
    conversation_id: "a b",
    requested_seq: 137,
    call_id: "update",
    run_id: "r",
    iteration: 2,
    instance: "①",
  };
  const address = new URL(studioAddress(asked as ListedConfirmation), "http://localhost");
  expect(address.pathname).toBe("/conversations/a%20b");
  expect(Object.fromEntries(address.searchParams)).toEqual({
    at: "137",
    run: "r",
    iteration: "2",
    instance: "①",
    call: "update",
    tab: "call",
  });
});
