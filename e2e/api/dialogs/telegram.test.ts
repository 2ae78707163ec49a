import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../scripts/process.mjs";
import { startServerProcess } from "../../../scripts/server-process.ts";
import { readEvents } from "../setup/event-source.ts";
import { ADMINS, SECRET, TOKEN, withTelegram } from "../setup/telegram-chat.ts";

const { botApi, server, post, person, says } = withTelegram();

describe("D10: an update starts a turn, and its answer is sent", () => {
  it("acknowledges at once, runs the turn later, and sends the agent's answer", async () => {
    const anna = person("Анна");
    const update = anna.update({ text: "спасибо" });
    expect(await post(update)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await anna.reads(1)).toEqual(["Пожалуйста."]);
    const { body } = await server.get(`/api/conversations/${anna.conversation}`);
    expect(body).toMatchObject({ channel: "telegram", user_id: `telegram:${anna.id}`, title: "Анна К." });
    const [said, answered] = await anna.messages();
    expect(said).toMatchObject({
      id: `telegram:${anna.id}:${update.message.message_id}`,
      ...{ role: "user", content: "спасибо" },
    });
    expect(answered).toMatchObject({ role: "assistant", content: "Пожалуйста." });
    expect(botApi.requests.every(({ token }) => token === TOKEN)).toBe(true);
  });

  it("the same update, concurrently and repeated, is one turn and one answer", async () => {
    const boris = person("Борис");
    const update = boris.update({ text: "спасибо" });
    const replies = await Promise.all(Array.from({ length: 5 }, () => post(update)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await boris.reads(1);
    await post(update);
    await boris.says("привет");
    expect(await boris.reads(2)).toHaveLength(2);
    expect((await boris.messages()).map(({ role }: { role: string }) => role)).toEqual([
      ...["user", "assistant"],
      ...["user", "assistant"],
    ]);
  });

  it("concurrent chats are not mixed, and each has its answers in order", async () => {
    const people = ["Вера", "Глеб", "Дина"].map((name) => person(name));
    await Promise.all(people.map((one, index) => one.says(`покажи сделку ${121 + index}`)));
    for (const [index, one] of people.entries()) {
      expect((await one.reads(1))[0]).toContain(`Сделка ${121 + index}`);
      await one.says("спасибо");
      expect((await one.reads(2))[1]).toBe("Пожалуйста.");
    }
  });

  it("later messages of the agent, and a manager's, are sent: formatted, and as typed", async () => {
    const egor = person("Егор");
    await egor.says("спасибо");
    await egor.reads(1);
    await says(egor.conversation, "Готово: **встреча** 2026-11-22T12:02:00Z.");
    const manager = { role: "operator", content: "Я *менеджер*, 2026-11-22" };
    expect((await server.post(`/api/conversations/${egor.conversation}/messages`, manager)).status).toBe(202);
    const [, later, last] = await botApi.shown(egor.id, 3);
    expect(later).toMatchObject({
      text: "Готово: встреча 22 ноября 2026 г. в 15:02.",
      entities: [{ type: "bold", offset: 8, length: 7 }],
    });
    expect(last).toMatchObject({ text: manager.content, entities: [] });
  });

  it("a waiting turn is announced, and answered when decided, also after a restart", async () => {
    const pavel = person("Павел");
    await pavel.says("Измени сумму сделки 123 на 150000");
    expect((await pavel.reads(1))[0]).toContain("Жду подтверждения");
    await server.restart("SIGTERM");
    const waiting = `/api/confirmations?status=requested&conversation_id=${pavel.conversation}`;
    const [asked] = (await server.get(waiting)).body.items;
    await server.post(`/api/confirmations/${asked.id}/decision`, { decision: "approve" });
    const [first, answer, ...others] = await botApi.shown(pavel.id, 2);
    expect([first.text, others]).toEqual([expect.stringContaining("Жду подтверждения"), []]);
    expect(answer.text).toMatch(/теперь 150.000.₽/);
    expect(answer.entities).toContainEqual(expect.objectContaining({ type: "bold" }));
  });

  it("a long answer is split, in order", async () => {
    const vera = person("Вера");
    await vera.says("спасибо");
    await vera.reads(1);
    const paragraphs = Array.from({ length: 12 }, (_, index) => `${index} ${"слово 👨‍👩‍👧‍👦 ".repeat(70).trim()}.`);
    await says(vera.conversation, paragraphs.join("\n\n"));
    await says(vera.conversation, "конец");
    const parts = await vera.reads(6);
    expect(parts.at(-1)).toBe("конец");
    expect(parts.slice(1, -1).join("")).toBe(paragraphs.join("\n\n"));
    for (const part of parts.slice(1, -1)) expect(part).toMatch(/^\d+ слово/);
  });

  it("managers get alerts in their chat", async () => {
    const foma = person("Фома");
    await foma.says("спасибо");
    await foma.reads(1);
    const alert = { conversation_id: foma.conversation, type: "manager.alerted", payload: { text: "Просит скидку" } };
    expect((await server.post("/api/events", alert)).status).toBe(201);
    // The chat may also get pending items of another test.
    const { payload } = await botApi.asked(
      ({ payload: { chat_id, text = "" } }) => String(chat_id) === String(ADMINS) && /скидку/.test(text),
    );
    for (const part of ["Просит скидку", "Фома К.", foma.conversation]) expect(payload.text).toContain(part);
    expect(await foma.reads(1)).toHaveLength(1);
  });
});

describe("D10: messages without text", () => {
  it.each([
    ["photo", { photo: [{}], caption: "что это?" }, /только текст/, "[photo] что это?"],
    ["voice", { voice: {} }, /только текст/, "[voice]"],
    ["sticker", { sticker: {} }, /only read text/, "[sticker]"],
    ["document", { document: {}, caption: "see this" }, /only read text/, "[document] see this"],
  ])(
    "a %s gets a polite answer in the user's language, and the console shows what came",
    async (_kind, content, polite, shown) => {
      const inEnglish = String(polite).includes("only");
      const user = person("Лена", inEnglish ? { language_code: "en" } : {});
      const update = user.update(content);
      await post(update);
      await post(update);
      expect((await user.reads(1))[0]).toMatch(polite);
      await user.says("спасибо");
      expect((await user.reads(2))[1]).toBe("Пожалуйста.");
      expect((await user.messages())[0]).toMatchObject({ role: "user", content: shown });
    },
  );

  it("D11: during a takeover only the manager answers", async () => {
    const olga = person("Ольга");
    await olga.says("спасибо");
    await olga.reads(1);
    const here = `/api/conversations/${olga.conversation}`;
    expect((await server.post(`${here}/takeover`, {})).status).toBe(200);
    await post(olga.update({ photo: [{}] }));
    await olga.says("алло?");
    const events = await readEvents(server.url, `/api/stream?conversation_id=${olga.conversation}&after=0`);
    await events.find(({ type, data }) => type === "message.created" && data.payload.content === "алло?");
    events.close();
    await server.post(`${here}/messages`, { role: "operator", content: "Слушаю вас" });
    expect((await olga.reads(2))[1]).toBe("Слушаю вас");
    const roles = (await olga.messages()).map(({ role }: { role: string }) => role);
    expect(roles).toEqual(["user", "assistant", "user", "user", "operator"]);
  });

  it("edits, channel posts, other bots and service messages are ignored", async () => {
    const kira = person("Кира");
    const { message } = kira.update({ text: "спасибо" });
    const bot = { ...message, message_id: 1, from: { ...kira.from, is_bot: true } };
    const joined = { ...message, text: undefined, message_id: 2, new_chat_members: [kira.from] };
    const ignored = [
      { ...kira.update({}), message: undefined, edited_message: message },
      {
        ...kira.update({}),
        message: undefined,
        channel_post: { ...message, chat: { id: kira.id, type: "channel", title: "News" } },
      },
      { ...kira.update({}), message: bot },
      { ...kira.update({}), message: joined },
      { ...kira.update({}), message: undefined, poll: { id: "1" } },
    ];
    for (const update of ignored) expect((await post(update)).status).toBe(200);
    await kira.says("привет");
    await kira.reads(1);
    expect((await kira.messages()).map(({ role }: { role: string }) => role)).toEqual(["user", "assistant"]);
    expect(await kira.reads(1)).toHaveLength(1);
  });
});

describe("D10: only Telegram is accepted", () => {
  it("a missing or wrong secret is 401, whatever is sent, and nothing is stored", async () => {
    const ivan = person("Иван");
    const update = ivan.update({ text: "спасибо" });
    for (const wrong of ["", "very-secret-webhooo", `${SECRET}x`]) {
      expect(await post(update, wrong)).toMatchObject({ status: 401, body: { code: "unauthorized" } });
    }
    expect((await server.post("/api/telegram/webhook", update)).status).toBe(401);
    expect((await server.postRaw("/api/telegram/webhook", "{", "application/json")).status).toBe(401);
    expect((await server.get(`/api/conversations/${ivan.conversation}`)).status).toBe(404);
    expect((await post({ message: {} })).status).toBe(400);
  });

  it("a server without a bot responds with an error", async () => {
    const plain = await startServerProcess(`${server.dataDir}/plain`, { env: { OBELUS_DEMO: "0" } });
    try {
      const answer = await fetch(`${plain.address}/api/telegram/webhook`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      expect(answer.status).toBe(404);
      expect((await answer.json()).detail).toContain("TELEGRAM_BOT_TOKEN");
    } finally {
      await plain.stop();
    }
  });
});

describe("D10: npm run telegram -- set-webhook", () => {
  async function run(args: string[], env: Record<string, string> = {}) {
    const child = spawn(process.execPath, ["scripts/commands/main.ts", "telegram", ...args], {
      cwd: ROOT,
      env: {
        ...process.env,
        ...{ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_WEBHOOK_SECRET: SECRET, TELEGRAM_API_ROOT: botApi.root, ...env },
      },
    });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    return { code, out, err };
  }
  const isWebhook = ({ method }: { method: string }) => method === "setWebhook";

  it("registers the address, the secret, and messages as the only updates", async () => {
    const told = await run(["set-webhook", "https://obelus.example.org"]);
    expect(told).toMatchObject({ code: 0, out: expect.stringContaining("obelus.example.org/api/telegram/webhook") });
    expect((await botApi.asked(isWebhook)).payload).toEqual({
      url: "https://obelus.example.org/api/telegram/webhook",
      secret_token: SECRET,
      allowed_updates: ["message"],
    });
    expect(told.out + told.err).not.toContain("very-secret");
  });

  it("reports errors without secrets", async () => {
    const refused = [
      await run(["set-webhook", "http://obelus.example.org"]),
      await run(["set-webhook"]),
      await run(["set-webhook", "https://a.example"], { TELEGRAM_BOT_TOKEN: "" }),
      await run(["set-webhook", "https://a.example"], { TELEGRAM_API_ROOT: "http://127.0.0.1:1" }),
    ];
    botApi.trouble(isWebhook, { code: 401, description: "Unauthorized" });
    refused.push(await run(["set-webhook", "https://a.example"]));
    const told = [
      "https://",
      "set-webhook [options] <url>",
      "TELEGRAM_BOT_TOKEN is not set",
      "ECONNREFUSED",
      "Unauthorized",
    ];
    for (const [index, { code, err }] of refused.entries()) {
      expect([code, err]).toEqual([1, expect.stringContaining(told[index] ?? "")]);
      expect(err).not.toContain("very-secret");
    }
  });
});
