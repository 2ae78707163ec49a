import { expect, it } from "vitest";
import { readConfig } from "../config.ts";

const WEBHOOK = {
  OBELUS_NOTICE_WEBHOOK_URL: "https://chat.example.org/hooks/very-secret",
  OBELUS_NOTICE_WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
};
const MAIL = {
  OBELUS_SMTP_URL: "smtps://obelus:very-secret@mail.example.org",
  OBELUS_NOTICE_MAIL_FROM: "Obelus <obelus@example.org>",
  OBELUS_NOTICE_MAIL_TO: "anna@example.org, boris@example.org",
};

it("Inform: accepts channels and times", () => {
  const more = { OBELUS_NOTICE_CONTENT: "1", OBELUS_NOTICE_LOCALE: "ru", OBELUS_NOTICE_REMIND_HOURS: "0" };
  const { notify } = readConfig({ ...WEBHOOK, ...MAIL, ...more, OBELUS_QUIET_HOURS: "22:00-07:00 Europe/Moscow" });
  expect(notify).toEqual({
    webhook: { url: WEBHOOK.OBELUS_NOTICE_WEBHOOK_URL, secret: WEBHOOK.OBELUS_NOTICE_WEBHOOK_SECRET },
    mail: {
      server: MAIL.OBELUS_SMTP_URL,
      from: "Obelus <obelus@example.org>",
      to: ["anna@example.org", "boris@example.org"],
    },
    quiet: { from: 1_320, to: 420, timezone: "Europe/Moscow" },
    ...{ content: true, locale: "ru", remindAfter: null },
  });
});

it.each([
  ["OBELUS_QUIET_HOURS", "22-7"],
  ["OBELUS_NOTICE_LOCALE", "de"],
  ["OBELUS_NOTICE_REMIND_HOURS", "1.5"],
  ["OBELUS_NOTICE_MAIL_FROM", "nobody"],
  ["OBELUS_NOTICE_MAIL_TO", "anna@example.org;boris@example.org"],
  ["OBELUS_NOTICE_CONTENT", "yes"],
])("refuses %s=%s", (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name}=${value} must be`);
});

it("refuses incomplete channels and invalid secrets, and shows no secret", () => {
  const { OBELUS_NOTICE_WEBHOOK_SECRET: _, ...withoutSecret } = WEBHOOK;
  const { OBELUS_NOTICE_MAIL_TO: __, ...withoutReader } = MAIL;
  const wrong: [Record<string, string>, string][] = [
    [withoutSecret, "OBELUS_NOTICE_WEBHOOK_SECRET is required with OBELUS_NOTICE_WEBHOOK_URL"],
    [withoutReader, "OBELUS_NOTICE_MAIL_TO is required with OBELUS_SMTP_URL"],
    [{ ...WEBHOOK, OBELUS_NOTICE_WEBHOOK_SECRET: "very-secret" }, "OBELUS_NOTICE_WEBHOOK_SECRET must be whsec_"],
    [{ ...MAIL, OBELUS_SMTP_URL: "http://very-secret" }, "OBELUS_SMTP_URL must be an address"],
  ];
  for (const [set, sentence] of wrong) {
    expect(() => readConfig(set)).toThrow(sentence);
    expect(() => readConfig(set)).not.toThrow("very-secret");
  }
});
