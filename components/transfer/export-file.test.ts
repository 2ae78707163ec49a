import { describe, expect, it } from "vitest";
import { countedThrough } from "./export-file.ts";

const header = (id: string) => `{"format":"obelus.conversation","version":1,"conversation":{"id":"${id}"}}\n`;

describe("C12: the progress of an export", () => {
  it("counts conversations wherever chunks are split, and not those quoted in a text", async () => {
    const cited = `${JSON.stringify({ payload: header("Ünï") })}\n`;
    const text = new TextEncoder().encode(`${header("a")}${cited}${header("b")}${cited}`);
    for (const size of [1, 7, 31, 1_000]) {
      const told: number[][] = [];
      const counted = countedThrough((...now) => told.push(now));
      const writer = counted.writable.getWriter();
      const written = (async () => {
        for (let at = 0; at < text.length; at += size) await writer.write(text.slice(at, at + size));
        await writer.close();
      })();
      const through = await new Response(counted.readable).bytes();
      await written;
      expect(through).toEqual(text);
      expect(told.at(-1)).toEqual([text.length, 2]);
    }
  });
});
