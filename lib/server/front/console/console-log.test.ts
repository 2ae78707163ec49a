import { pino } from "pino";
import { expect, test } from "vitest";
import { escapeControls } from "../../logger.ts";
import { logConsole } from "./console-log.ts";

test("Security: console output is one line of JSON, whatever it contains", () => {
  const lines: string[] = [];
  const print = { ...console };
  logConsole(pino({ base: null, timestamp: false }, { write: (line) => void lines.push(escapeControls(line)) }), print);
  print.error("no image at", '/icon.svg\n{"level":30,"msg":"FORGED"}\r\n\u001b[31mred\u009b2J\u2028', 404);
  print.log("ready");
  print.error(new Error("broken\nFORGED"));
  expect(lines).toHaveLength(3);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  for (const line of lines) expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028]+\n$/);
  const [image, ready, broken] = lines.map((line) => JSON.parse(line));
  expect(image).toMatchObject({ level: 50, from: "next", msg: expect.stringContaining('"FORGED"') });
  expect(ready).toMatchObject({ level: 30, msg: "ready" });
  expect(broken.err.message).toBe("broken\nFORGED");
});
