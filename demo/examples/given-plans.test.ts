import { describe, expect, it } from "vitest";
import type { Reaction } from "./example.ts";
import { profileSummary } from "./profile-summary.ts";
import { call, follows, once, overlap, played, stateOf, statuses, topRun, withOutside } from "./testing/played.ts";
import { weatherBranch } from "./weather-branch.ts";

describe("profile → summary", () => {
  it("P4, P20: a reader starts when its inputs are written, and readers of the same value run in parallel", async () => {
    const one = await once(profileSummary.en);
    expect(new Set(Object.values(statuses(one)))).toEqual(new Set(["succeeded"]));
    const [orders, tickets, summary] = [call(one, "orders"), call(one, "tickets"), call(one, "summary")];
    expect(follows(orders, call(one, "profile")) && follows(tickets, call(one, "profile"))).toBe(true);
    expect(overlap(orders, tickets)).toBe(true);
    expect(follows(summary, orders) && follows(summary, tickets)).toBe(true);
  });

  it("P5: the summary uses the name without a nickname, and the nickname otherwise", async () => {
    expect(call(await once(profileSummary.en), "summary").params).toMatchObject({ address_as: "Inês Duarte" });
    const familiar = withOutside(profileSummary.en, "crm.contact.find", () => ({
      ms: 1,
      output: { id: "c-5108", name: "Inês Duarte", nickname: "Nê", company: "Harbour Foods", since: "2021-03-02" },
    }));
    expect(call(await played(familiar), "summary").params).toMatchObject({ address_as: "Nê" });
  });

  it("P11, P2: the summary is written to two paths, and the note to its tool's prescribed path", async () => {
    const one = await once(profileSummary.en);
    const { summary, meeting, attached } = stateOf(one);
    expect(meeting).toEqual({ briefing: summary });
    expect(attached).toEqual({ note_id: "n-90417" });
    expect([...one.session.plans.values()][0]?.calls.at(-1)).toMatchObject({ _outputPath: "†state.attached" });
  });
});

describe("a branch by the weather that rejoins", () => {
  const forecast = (react: () => Reaction) => played(withOutside(weatherBranch.ru, "weather.forecast", react));

  it("P10, P21: the tool chooses rain: the gym is booked, and the other branches are skipped", async () => {
    const one = await once(weatherBranch.ru);
    expect(call(one, "forecast")).toMatchObject({ status: "succeeded", branch: 1 });
    expect(statuses(one)).toMatchObject({ run: "skipped", book: "succeeded", hold: "skipped", calendar: "succeeded" });
    expect(topRun(one).status).toBe("finished");
  });

  it.each<{ sky: string; reaction: Reaction; taken: string; title: string }>([
    {
      sky: "fair",
      reaction: { ms: 5, output: { sky: "ясно", temperature: 12, rain_chance: 0 }, path: "†state.fair" },
      taken: "run",
      title: "Пробежка, 6 км",
    },
    {
      sky: "rain",
      reaction: { ms: 5, output: { sky: "дождь", temperature: 4, rain_chance: 0.9 }, path: "†state.rain" },
      taken: "book",
      title: "Зал: беговая дорожка",
    },
    {
      sky: "unknown",
      reaction: { ms: 5, error: { code: "503", message: "Метеослужба молчит" } },
      taken: "hold",
      title: "Зал или пробежка",
    },
  ])(
    "P12, P16: $sky: one of three exclusive writers writes, and the next call reads the one path",
    async ({ reaction, taken, title }) => {
      const one = await forecast(() => reaction);
      const writers = ["run", "book", "hold"].map((id) => [id, statuses(one)[id]]);
      expect(writers).toEqual(["run", "book", "hold"].map((id) => [id, id === taken ? "succeeded" : "skipped"]));
      expect(call(one, "calendar").params).toMatchObject({ title });
      expect(stateOf(one).training).toMatchObject({ title });
    },
  );

  it("P10: without a forecast the error is written to its alternative, and the run finishes", async () => {
    const one = await forecast(() => ({ ms: 5, error: { code: "503", message: "Метеослужба молчит" } }));
    expect(call(one, "forecast")).toMatchObject({ status: "failed", handled: true, branch: 2 });
    expect(stateOf(one).forecast_error).toEqual({ code: "503", message: "Метеослужба молчит" });
    expect(topRun(one).status).toBe("finished");
    // Neither alternative of its temperature can be written, and no writer failed.
    expect(statuses(one).outfit).toBe("skipped");
  });

  it("P24: a busy weather service is retried when it says", async () => {
    const { tries } = call(await once(weatherBranch.ru), "forecast");
    expect(tries).toMatchObject([{ attempt: 1, error: { code: "503" }, delay_ms: 1_500 }]);
  });

  it("P6: the reminder waits for the calendar, although it does not use its value", async () => {
    const one = await once(weatherBranch.ru);
    expect(follows(call(one, "remind"), call(one, "calendar"))).toBe(true);
    expect(call(one, "remind").params).toEqual({ title: "Зал: беговая дорожка" });
  });
});
