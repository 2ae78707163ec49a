import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";

it("CSV quotes what has to be quoted, and no cell is a formula", () => {
  expect(csvLine(["a", 'say "hi"', "x,y", "two\nlines", null, -3])).toBe('a,"say ""hi""","x,y","two\nlines",,-3\r\n');
  for (const sign of ["=", "+", "-", "@", "＝", "＋", "－", "＠"])
    expect(csvLine([`${sign}1+1`])).toBe(`'${sign}1+1\r\n`);
  for (const end of ["\t", "\r", "\n", "\r\n"])
    for (const text of ["", "ordinary"]) expect(csvLine([`${end}${text}`])).toBe(`"'${end}${text}"\r\n`);
});

it("CSV that is split at another separator has no formula either", () => {
  for (const separator of [";", "\t", "\r", "\n", "\r\n"])
    for (const sign of ["=", "-", "＝"])
      expect(csvLine(["id", `a${separator}${sign}1+1${separator}b`])).toBe(
        `id,"a${separator}'${sign}1+1${separator}b"\r\n`,
      );
  expect(csvLine(['a;"=1+1;b', 'x\t""-1'])).toBe(`"a;'""=1+1;b","x\t'""""-1"\r\n`);
  expect(csvLine(["a;b", "c\td", "\t=1"])).toBe(`"a;b","c\td","'\t'=1"\r\n`);
});
