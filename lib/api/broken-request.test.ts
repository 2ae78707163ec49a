import { expect, test, vi } from "vitest";
import type { Services } from "../server/services.ts";
import { operation } from "./operation.ts";
import { REQUESTER_HEADER, writeRequester } from "./request/requester.ts";
import { route } from "./route.ts";

const cause = new Error("the disk is on fire");
const broken = operation({
  ...{ name: "broken", permission: "public", method: "GET", path: "/api/broken", summary: "Breaks." },
  answers: {},
  run: async () => {
    throw cause;
  },
});

test("Run: an internal error is a 500 with the request id, under which the log has the cause, but not search terms", async () => {
  const logger = { error: vi.fn() };
  const parts: unknown = { logger, stopping: new AbortController().signal };
  const answer = route(() => parts as Services, broken);
  const caller = { kind: "person", id: "u1", name: "anna", role: "admin" } as const;
  const headers = { [REQUESTER_HEADER]: writeRequester({ caller, address: "::1", request_id: "r-1", secure: false }) };
  const response = await answer(new Request("http://localhost/api/broken", { headers }), {
    params: Promise.resolve({}),
  });
  expect([response.status, (await response.json()).detail]).toEqual([
    500,
    "Internal error; see request r-1 in the server's log.",
  ]);
  const about = { err: cause, request_id: "r-1", method: "GET", path: "/api/broken", actor: "operator:anna" };
  expect(logger.error).toHaveBeenCalledWith(about, expect.any(String));
});
