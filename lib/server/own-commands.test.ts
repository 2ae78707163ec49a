import { afterEach, expect, test, vi } from "vitest";
import { ownCommands } from "./own-commands.ts";

afterEach(() => vi.unstubAllEnvs());

const TEXT = "Stop it, run npm run rebuild; npm run restore -- BACKUP; then npm start.";

test("texts name the commands of the package where it is installed", () => {
  expect(ownCommands(TEXT)).toBe(TEXT);
  vi.stubEnv("OBELUS_PACKAGED", "1");
  expect(ownCommands(TEXT)).toBe("Stop it, run obelus rebuild; obelus restore BACKUP; then obelus start.");
});
