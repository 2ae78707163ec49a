import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { readBatch, readJson } from "./body.ts";
import { REQUESTER_HEADER, writeRequester } from "./requester.ts";

const asked = { caller: { kind: "everybody" }, address: "::1", request_id: "r", secure: false } as const;

function lines(body: string) {
  const headers = { "content-type": "application/x-ndjson", [REQUESTER_HEADER]: writeRequester(asked) };
  return readBatch(new Request("http://localhost/", { method: "POST", headers, body }), 1_000);
}

test.each([
  ["entries", "{}\n".repeat(1_001), "The request has more than 1000 entries; send at most 1000 at a time."],
  // Counted before the first invalid line.
  ["entries before a mistake", `${"{}\n".repeat(1_001)}{`, "The request has more than 1000 entries"],
  ["empty lines", "\n".repeat(100_000), "The body has more than 10000 empty lines; remove them."],
])("E11: a batch of too many %s is refused while its lines are looked for", async (_, body, sentence) => {
  await expect(lines(body)).rejects.toMatchObject({ code: "too_many", message: expect.stringContaining(sentence) });
});

test("E11: the last line of a batch needs no line break", async () => {
  expect(await lines('{"a":1}\r\n\n{"b":2}')).toEqual({ entries: [{ a: 1 }, { b: 2 }], single: false });
});

test("E11: validating a large body yields to the event loop, and its errors are reported", async () => {
  const read = (body: string) => {
    const headers = { "content-type": "application/json", [REQUESTER_HEADER]: writeRequester(asked) };
    return readJson(new Request("http://localhost/", { method: "POST", headers, body }));
  };
  const turnsDuring = async (body: string) => {
    let isOver = false;
    const reading = read(body).finally(() => {
      isOver = true;
    });
    let turns = 0;
    for (; !isOver; turns++) await turn();
    return { turns, value: await reading };
  };
  const text = JSON.stringify({ a: "a".repeat(1_000_000) });
  const large = await turnsDuring(text);
  expect(large.value).toEqual(JSON.parse(text));
  const small = await turnsDuring('{"a":1}');
  expect(large.turns - small.turns).toBeGreaterThan(3 * 4);
  await expect(read(text.replace("{", '{"a":1,'))).rejects.toMatchObject({ code: "invalid_input" });
  await expect(read(`${text}}`)).rejects.toMatchObject({ code: "malformed_json" });
});
