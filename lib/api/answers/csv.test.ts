import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";

it("CSV quotes what has to be quoted, and no cell is a formula", () => {
  expect(csvLine(["a", 'say "hi"', "x,y", "two\nlines", null, -3])).toBe('a,"say ""hi""","x,y","two\nlines",,-3\r\n');
  for (const sign of ["=", "+", "-", "@", "\t"]) expect(csvLine([`${sign}1+1`])).toBe(`'${sign}1+1\r\n`);
  expect(csvLine(["\r=1"])).toBe(`"'\r=1"\r\n`);
});
