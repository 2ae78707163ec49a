import { describe, expect, it } from "vitest";
import { to } from "../../bot-api.ts";
import { readEvents, type StreamedEvent } from "../setup/event-source.ts";
import { openStored } from "../setup/storage.ts";
import { withTelegram } from "../setup/telegram-chat.ts";

const { botApi, server, person, says } = withTelegram();

describe("D10: Telegram in trouble", () => {
  /** A person with an existing conversation. */
  async function known(name: string) {
    const one = person(name);
    await one.says("спасибо");
    await one.reads(1);
    return one;
  }

  it("429 is respected, others continue meanwhile, and the order is kept", async () => {
    const [slow, quick] = await Promise.all([known("Медленный"), known("Быстрый")]);
    const flood = { code: 429, description: "Too Many Requests: retry after 2", parameters: { retry_after: 2 } };
    botApi.trouble(to(slow.id), flood);
    await says(slow.conversation, "раз");
    await says(slow.conversation, "два");
    await says(quick.conversation, "три");
    await quick.reads(2);
    expect(botApi.requests.filter(to(slow.id)).map(({ payload }) => payload.text)).not.toContain("два");
    expect((await slow.reads(3)).slice(1)).toEqual(["раз", "два"]);
    const [first, again] = botApi.requests.filter(to(slow.id)).filter(({ payload }) => payload.text === "раз");
    expect((again?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
  });

  it("a missing response blocks nobody else", async () => {
    const [stuck, other] = await Promise.all([known("Зоя"), known("Ида")]);
    const held = Promise.withResolvers<{ end(): unknown }>();
    botApi.trouble(to(stuck.id), held.resolve);
    await says(stuck.conversation, "раз");
    const response = await held.promise;
    await says(other.conversation, "два");
    expect((await other.reads(2))[1]).toBe("два");
    response.end();
    expect((await stuck.reads(2))[1]).toBe("раз");
  });

  it("server errors, invalid responses and broken connections are retried", async () => {
    const ada = await known("Ада");
    botApi.trouble(
      to(ada.id),
      { code: 500, description: "Internal Server Error" },
      (response) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>"),
      (response) => response.destroy(),
    );
    await says(ada.conversation, "раз");
    await says(ada.conversation, "два");
    expect((await ada.reads(3)).slice(1)).toEqual(["раз", "два"]);
  });

  it("a format that Telegram refuses is sent as plain text", async () => {
    const lida = await known("Лида");
    botApi.trouble(to(lida.id), { code: 400, description: "Bad Request: can't parse entities: wrong offset" });
    await says(lida.conversation, "**раз**");
    expect((await botApi.shown(lida.id, 2))[1]).toMatchObject({ text: "раз", entities: [] });
  });

  it("a user who has blocked the bot is recorded and not retried, and gets later messages", async () => {
    const yana = await known("Яна");
    const blocked = { code: 403, description: "Forbidden: bot was blocked by the user" };
    botApi.trouble(to(yana.id), blocked);
    await says(yana.conversation, "раз");
    await says(yana.conversation, "два");
    expect((await yana.reads(2))[1]).toBe("два");
    expect(botApi.requests.filter(to(yana.id)).filter(({ payload }) => payload.text === "раз")).toHaveLength(1);
    const logged = (await yana.events()).filter(({ type }: { type: string }) => type === "log");
    expect(logged).toMatchObject([{ payload: { message: expect.stringContaining("blocked by the user") } }]);
  });
});

describe("D10: nothing is lost in a crash", () => {
  it("an update stored and not handled is handled at the next start", async () => {
    const mark = person("Марк");
    await server.restart("SIGKILL", async () => {
      const storage = await openStored(server.dataDir);
      const update = mark.update({ text: "спасибо" });
      await storage.telegram.receive({ update_id: update.update_id, conversation_id: mark.conversation, update });
      await storage.close();
    });
    expect(await mark.reads(1)).toEqual(["Пожалуйста."]);
  });

  it("killed right after acknowledging updates, repeatedly: each is one turn with one answer", async () => {
    const nina = person("Нина");
    for (let turn = 1; turn <= 3; turn += 1) {
      await nina.says("спасибо");
      await server.restart("SIGKILL");
      const events = await readEvents(server.url, "/api/stream?after=0");
      const isAnswer = ({ type, data }: StreamedEvent) =>
        type === "message.created" && data.conversation_id === nina.conversation && data.payload.role === "assistant";
      await events.find(() => events.received.filter(isAnswer).length === turn);
      events.close();
      expect(await nina.messages()).toHaveLength(turn * 2);
    }
    await says(nina.conversation, "конец");
    await botApi.asked((request) => to(nina.id)(request) && request.payload.text === "конец");
    const texts = await nina.reads(4);
    // A message in progress at a kill may be repeated; none is missing.
    expect(texts.filter((text) => text === "Пожалуйста.").length).toBeGreaterThanOrEqual(3);
    expect(texts.at(-1)).toBe("конец");
  });

  it("killed between two parts of an answer, it continues with the missing part", async () => {
    const oleg = person("Олег");
    await oleg.says("спасибо");
    await oleg.reads(1);
    const paragraph = (letter: string) => `${letter} `.repeat(1500).trim();
    const answer = ["а", "б", "в"].map(paragraph).join("\n\n");
    const isSecond = (text: string) => text.startsWith("б");
    const held = Promise.withResolvers<unknown>();
    botApi.trouble((request) => to(oleg.id)(request) && isSecond(request.payload.text), held.resolve);
    await says(oleg.conversation, answer);
    await held.promise;
    await server.restart("SIGKILL");
    const parts = await oleg.reads(4);
    expect(parts.slice(1).join("")).toBe(answer);
    expect(botApi.requests.filter(to(oleg.id)).filter(({ payload }) => payload.text.startsWith("а"))).toHaveLength(1);
  });
});

it("D10: neither the bot's token nor the webhook's secret is ever logged", async () => {
  const log = await server.log();
  expect(log).toContain("Retrying a Telegram message");
  expect(log).not.toContain("very-secret");
});
