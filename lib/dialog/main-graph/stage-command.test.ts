import { describe, expect, it } from "vitest";
import { isStopCommand } from "./stage-command.ts";

describe("D2: the command to return to the administrator", () => {
  it.each([
    "стоп",
    "Стоп!",
    "СТОП",
    "«стоп»",
    "stop",
    "STOP.",
    "/stop",
    "/Stop",
    "/стоп",
    " — stop — ",
    "стоп 🛑",
    "stop\n",
  ])("is %j", (message) => expect(isStopCommand(message)).toBe(true));

  it.each(["/stop@obelus_bot", "/stop@Obelus_Bot!"])("is %j, as groups write it", (message) =>
    expect(isStopCommand(message)).toBe(true),
  );

  it.each([
    "stop it please",
    "не стоп",
    "стопка",
    "non-stop",
    "unstop",
    "stop 2",
    "stop@bot",
    "",
    "!",
    "с т о п",
    "/stops",
  ])("is not %j", (message) => expect(isStopCommand(message)).toBe(false));

  it("is never a long message", () => {
    expect(isStopCommand(`стоп${"!".repeat(190)}`)).toBe(true);
    expect(isStopCommand(`стоп${"!".repeat(200)}`)).toBe(false);
  });
});
