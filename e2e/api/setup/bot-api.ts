import { afterAll, afterEach, beforeAll } from "vitest";
import { type BotApi, type RunningBotApi, startBotApi } from "../../bot-api.ts";

/** Starts a fake Bot API for the tests of a file; each test starts without failures. */
export function withBotApi(): BotApi {
  const running: RunningBotApi[] = [];
  const api = (): RunningBotApi => {
    const [started] = running;
    if (!started) throw new Error("The Bot API is there once the tests have begun");
    return started;
  };
  beforeAll(async () => {
    running.push(await startBotApi());
  });
  afterEach(() => api().calm());
  afterAll(() => api().close());
  return {
    get root() {
      return api().root;
    },
    get requests() {
      return api().requests;
    },
    trouble: (...given) => api().trouble(...given),
    shown: (...asked) => api().shown(...asked),
    asked: (...asked) => api().asked(...asked),
  };
}
