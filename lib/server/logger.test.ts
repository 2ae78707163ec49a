import { expect, test } from "vitest";
import { redactLine } from "./logger.ts";

test("Security: a log line contains no secret, and is valid JSON", () => {
  const err = {
    message: "401 for sk-abcdefghijklmnop1234",
    stack: "at x (https://a.bitrix24.ru/rest/1/s3cr3ts3cr3t/) postgres://obelus:hunter2@db:5432/log",
  };
  const entry = {
    ...{ level: 50, err, headers: { authorization: "Bearer a1b2c3d4e5f6g7" }, msg: "4111 1111 1111 1111" },
    ...{ sent: [{ name: "x-api-key", value: "hunter2" }], db_password: "correct" },
  };
  const line = `${JSON.stringify(entry)}\n`;
  expect(JSON.parse(redactLine(line, ["keys", "cards"]))).toEqual({
    level: 50,
    err: {
      message: "401 for [redacted:key]",
      stack: "at x (https://a.bitrix24.ru/rest/1/[redacted:key]/) postgres://obelus:[redacted:key]@db:5432/log",
    },
    headers: { authorization: "[redacted:key]" },
    msg: "[redacted:card]",
    sent: [{ name: "x-api-key", value: "[redacted:key]" }],
    db_password: "[redacted:key]",
  });
  expect(redactLine(line, [])).toBe(line);
  const plain = '{"level":30,"msg":"ready"}\n';
  expect(redactLine(plain, ["keys", "cards"])).toBe(plain);
});
