import { expect, it } from "vitest";
import { ADMINS, SHIPPED, withTelegram } from "../setup/telegram-chat.ts";

const { botApi, server, post, person } = withTelegram({ agents: SHIPPED });

const DIALOGS = 30;
/** Takes 8 s on two idle cores, a minute and more on a busy machine; ms. */
const PATIENCE = 300_000;

it(
  "D10, M11: 30 dialogs at once, each update sent five times: none is mixed up, none lost, and each message is one turn",
  async () => {
    const people = Array.from({ length: DIALOGS }, (_, index) => ({
      ...person(`Гость ${index}`),
      bakery: `Крошка-${index}`,
    }));
    const said = (bakery: string) => [
      "Сколько стоит ассистент?",
      `Покажите демо для пекарни «${bakery}»`,
      "Какая сегодня погода?",
      "Позовите менеджера",
      "Стоп!",
    ];
    await Promise.all(
      people.map(async ({ bakery, update, reads }) => {
        for (const [index, text] of said(bakery).entries()) {
          const sent = update({ text });
          const replies = await Promise.all(Array.from({ length: 5 }, () => post(sent)));
          expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
          await reads(index + 1);
        }
      }),
    );

    for (const { id, bakery, conversation, messages, events } of people) {
      const answers = (await botApi.shown(id, 5)).map(({ text }) => text);
      expect(answers).toEqual([
        expect.stringContaining("Наши цены"),
        expect.stringMatching(new RegExp(`^\\[Демонстрация\\] .*«${bakery}»`)),
        expect.stringMatching(new RegExp(`^\\[Демонстрация\\] .*«${bakery}»`)),
        expect.stringContaining("позвал менеджера"),
        expect.stringContaining("администратор"),
      ]);
      const roles = (await messages()).map(({ role }: { role: string }) => role);
      expect(roles).toEqual(Array.from({ length: 5 }, () => ["user", "assistant"]).flat());
      const types = (await events()).map(({ type }: { type: string }) => type);
      expect(types.filter((type: string) => type === "run.finished")).toHaveLength(5);
      expect((await server.get(`/api/agent-state/dialog:${conversation}/stage`)).body).toBe("admin");
      const { body } = await server.get(`/api/agent-state/dialog:${conversation}/configuration`);
      expect(body.company_name).toBe(bakery);
    }

    const alerts = await botApi.shown(ADMINS, DIALOGS);
    const called = alerts.map(({ text }) => text.split("\n").find((line: string) => line.startsWith("telegram:")));
    expect(called.sort()).toEqual(people.map(({ conversation }) => conversation).sort());
  },
  PATIENCE,
);
