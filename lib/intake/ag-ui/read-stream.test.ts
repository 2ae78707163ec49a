import { expect, test } from "vitest";
import { readStream, type StreamForm } from "./read-stream.ts";

const SILENCE = "more than 100000 lines without an event; remove them";
const blank = "\n".repeat(150_000);

async function read(form: StreamForm, ...parts: string[]): Promise<number[]> {
  async function* bytes() {
    for (const part of parts) yield Buffer.from(part);
  }
  const places: number[] = [];
  for await (const { place } of readStream(bytes(), form)) places.push(place);
  return places;
}

test.each<[string, StreamForm, string]>([
  ["empty lines", "lines", blank],
  ["empty lines between frames", "frames", blank],
  ["comments", "frames", ":\n".repeat(150_000)],
  ["lines of data that are no event yet", "frames", "data:\n".repeat(150_000)],
])("AG-UI: a stream of %s is refused", async (_, form, text) => {
  await expect(read(form, text)).rejects.toMatchObject({ message: expect.stringContaining(SILENCE), tooLarge: true });
});

test("AG-UI: heartbeats between events are accepted, and parsing yields to the event loop", async () => {
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  });
  const quiet = "\n".repeat(90_000);
  expect(await read("lines", "{}\n", quiet, "{}\n", quiet, "{}\n")).toEqual([1, 90_002, 180_003]);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(0);
});

test.each<[string, StreamForm, string]>([
  ["array", "array", "[".repeat(1_000_000)],
  ["line", "lines", `{"a":${"[".repeat(1_000_000)}\n`],
])(
  "AG-UI: an %s of brackets is refused for its levels, which are counted before it is parsed",
  async (_, form, text) => {
    await expect(read(form, text)).rejects.toThrow(/nested deeper than 6\d levels/);
  },
);
