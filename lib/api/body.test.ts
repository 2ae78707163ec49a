import { expect, test } from "vitest";
import { readBatch } from "./body.ts";
import { REQUESTER_HEADER, writeRequester } from "./requester.ts";

const asked = { caller: { kind: "everybody" }, address: "::1", request_id: "r", secure: false } as const;

function lines(body: string) {
  const headers = { "content-type": "application/x-ndjson", [REQUESTER_HEADER]: writeRequester(asked) };
  return readBatch(new Request("http://localhost/", { method: "POST", headers, body }), 1_000);
}

test.each([
  ["entries", "{}\n".repeat(1_001), "The request has more than 1000 entries; send at most 1000 at a time."],
  // Counted before the first line that is wrong, which nobody looks at any more.
  ["entries before a mistake", `${"{}\n".repeat(1_001)}{`, "The request has more than 1000 entries"],
  ["empty lines", "\n".repeat(100_000), "The body has more than 10000 empty lines; remove them."],
])("E11: a batch of too many %s is refused while its lines are looked for", async (_, body, sentence) => {
  await expect(lines(body)).rejects.toMatchObject({ code: "too_many", message: expect.stringContaining(sentence) });
});

test("E11: the last line of a batch needs no end", async () => {
  expect(await lines('{"a":1}\r\n\n{"b":2}')).toEqual({ entries: [{ a: 1 }, { b: 2 }], single: false });
});
