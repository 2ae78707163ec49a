import fc from "fast-check";
import { expect, test } from "vitest";
import { splitElements } from "./elements.ts";

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("an array is split into its elements, with any formatting and chunking", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }),
      fc.constantFrom("", " ", "\n\t"),
      fc.integer({ min: 1, max: 20 }),
      async (list, indent, size) => {
        const text = `${indent}${JSON.stringify(list, null, indent)}${indent}`;
        let held = 0;
        const values: unknown[] = [];
        const elements = splitElements(cut(text, size), 10_000, (bytes) => {
          held += bytes;
        });
        for await (const element of elements) {
          expect(element.index).toBe(values.length);
          values.push(JSON.parse(element.text));
        }
        expect(values).toEqual(JSON.parse(text));
        expect(held).toBe(0);
      },
    ),
    { numRuns: 500 },
  );
});
