import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";

it("CSV quotes what has to be quoted, and no cell is a formula", () => {
  expect(csvLine(["a", 'say "hi"', "x,y", "two\nlines", null, -3])).toBe('a,"say ""hi""","x,y","two\nlines",,-3\r\n');
  for (const sign of ["=", "+", "-", "@", "\t"]) expect(csvLine([`${sign}1+1`])).toBe(`'${sign}1+1\r\n`);
  for (const end of ["\r", "\n", "\r\n"])
    for (const text of ["=1+1", "", "ordinary"]) expect(csvLine([`${end}${text}`])).toBe(`"'${end}${text}"\r\n`);
});
