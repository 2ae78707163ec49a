import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact, redactJson } from "./redact.ts";
import { REDACTION_RULES } from "./rules.ts";

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJlLXNpZ25hdHVyZQ";

describe("keys", () => {
  it.each([
    ["use sk-proj-Abc123def456ghi789 please", "use [redacted:key] please"],
    ["obl_0123456789abcdefXYZ", "[redacted:key]"],
    ["AKIAIOSFODNN7EXAMPLE", "[redacted:key]"],
    ["ghp_0123456789abcdefghijABCDEFGHIJ012345", "[redacted:key]"],
    ["xoxb-123456789012-abcdefghij", "[redacted:key]"],
    [`jwt ${JWT}.`, "jwt [redacted:key]."],
    ["Authorization: Bearer abc123def456ghi", "Authorization: Bearer [redacted:key]"],
    [
      "https://acme.bitrix24.ru/rest/1/s3cr3ts3cr3t/crm.deal.get",
      "https://acme.bitrix24.ru/rest/1/[redacted:key]/crm.deal.get",
    ],
    ["/bot123456789:AAH-abcdefghijklmnopqrstuvwxyz012345/sendMessage", "/bot[redacted:key]/sendMessage"],
    ["?password=hunter2&x=1", "?password=[redacted:key]&x=1"],
    ['{"api_key":"abcdef"}', '{"api_key":"[redacted:key]"}'],
    ["DB_PASSWORD=correct-horse", "DB_PASSWORD=[redacted:key]"],
    ["a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b", "a [redacted:key] b"],
    ["-----BEGIN PRIVATE KEY-----\nMIIE cut", "[redacted:key]"],
  ])("Security: takes the secret out of %s", (text, left) => {
    expect(redact(text, ["keys"])).toBe(left);
  });

  it.each([
    "The task-force met; ask-me-anything-about-everything",
    "bearer of unquestionable responsibilities",
    "Secret: nobody knows",
    "input_tokens: 1200, tokens left",
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
    "GET /rest/1/crm.deal.get",
  ])("Security: leaves %s as it is", (text) => expect(redact(text, ["keys"])).toBe(text));
});

describe("cards", () => {
  it.each([
    ["4111 1111 1111 1111", "[redacted:card]"],
    ["card 5555-5555-5555-4444, thanks", "card [redacted:card], thanks"],
    ["2200 0000 0000 0004", "[redacted:card]"],
    ["378282246310005", "[redacted:card]"],
  ])("Security: takes %s out", (text, left) => expect(redact(text, ["cards"])).toBe(left));

  it.each(["4111 1111 1111 1112", "1763840000000", "order 9876543210987654", "a4111111111111111"])(
    "Security: leaves %s as it is",
    (text) => expect(redact(text, ["cards"])).toBe(text),
  );
});

describe("e-mails and telephones", () => {
  it.each([
    ["write to anna.k+shop@mail.example.org.", "write to [redacted:email]."],
    ["иван@почта.рф", "[redacted:email]"],
    ["call +7 (916) 123-45-67 or 8 800 555-35-35", "call [redacted:phone] or [redacted:phone]"],
    ["+44 20 7946 0958", "[redacted:phone]"],
    ["89161234567", "[redacted:phone]"],
    ["(495) 123-45-67", "[redacted:phone]"],
  ])("Security: takes the person out of %s", (text, left) => expect(redact(text, ["emails", "phones"])).toBe(left));

  it.each([
    "2026-11-22T20:47:13.123Z",
    "22.11.2026, 8 800 roubles",
    "order 81234567890",
    "deal 1842, invoice 2026-000123, 1 000 000 ₽",
    "550e8400-e29b-41d4-a716-446655440000",
    "call-8-912-1",
    "†state.deal.amount",
    "user@localhost",
    "0.8495123456",
  ])("Security: leaves %s as it is", (text) => expect(redact(text, ["emails", "phones", "cards"])).toBe(text));
});

it("Security: in JSON, strings are redacted and keys stay; values named as passwords are replaced", () => {
  const value = {
    "a@b.org": "a@b.org",
    list: [{ password: "x" }],
    headers: { Authorization: "y" },
    n: 4111111111111111,
  };
  expect(redactJson(value, ["keys", "emails"])).toEqual({
    "a@b.org": "[redacted:email]",
    list: [{ password: "[redacted:key]" }],
    headers: { Authorization: "[redacted:key]" },
    n: 4111111111111111,
  });
  expect(redactJson({ n: 4111111111111111, m: 4111111111111112 }, ["cards"])).toEqual({
    n: "[redacted:card]",
    m: 4111111111111112,
  });
  const plain = { a: ["b"] };
  expect(redactJson(plain, REDACTION_RULES)).toBe(plain);
});

it("Security: redaction is idempotent", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."sk-_:@.+78(9) =aeyJbot/"), maxLength: 200 }), (text) => {
      const once = redact(text, REDACTION_RULES);
      expect(redact(once, REDACTION_RULES)).toBe(once);
    }),
  );
});

// Texts with many partial matches, on which a backtracking expression would be slow.
it.each([
  ...[
    "a",
    "a.",
    "a@",
    "a@a.",
    "1",
    "1 ",
    "1-",
    "+1 ",
    "+",
    "8",
    "(1",
    "eyJ",
    "eyJaaaaaaaa.",
    "sk-",
    "bearer ",
    "password",
  ],
  ...["password=", "-----BEGIN PRIVATE KEY", "-----BEGIN ", "/rest/1/", "1:", "xoxb-", "x ", '\\"', "token: "],
  ...[
    "://a:",
    "://",
    "basic ",
    "authorization:",
    "cookie: a=",
    "cookie: ",
    '{"name":"',
    '["',
    "DE12",
    "YWFh",
    "a_",
    "пароль ",
  ],
  ...[
    "glpat-",
    "xapp-1-A",
    "eyJrIjoi",
    "yandex=t1.",
    "1//0",
    "--password ",
    " -u a",
    "sig=",
    "npm_",
    "SG.a",
    "4 ",
    "4111 1111 1111 1112 ",
    "authorization: basic ",
  ],
])("Security: takes time in proportion to a text of %j", (part) => {
  const ofLength = (length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
  const timeOf = (length: number) => {
    const text = ofLength(length);
    const times = Array.from({ length: 3 }, () => {
      const began = process.threadCpuUsage();
      redact(text, REDACTION_RULES);
      const { user, system } = process.threadCpuUsage(began);
      return user + system;
    });
    return Math.min(...times);
  };
  timeOf(20_000);
  // Twenty times the text: quadratic time would be four hundred times as long.
  expect(timeOf(400_000)).toBeLessThan(80 * Math.max(timeOf(20_000), 2_000));
});

it("Security: redacts a text of millions of characters in linear time", () => {
  const long = "a".repeat(10 * 1024 * 1024);
  expect(redact(`${long} password=hunter2`, REDACTION_RULES)).toBe(`${long} password=[redacted:key]`);
});
