import { expect, test } from "vitest";
import { fileSystemError } from "./file-system-error.ts";

const refused = (path: string) =>
  fileSystemError(Object.assign(new Error("refused"), { code: "EACCES", path }), "/home/anna/.local/data")?.message;

test("a folder that cannot be written is named, and so is the one in which it cannot be created", () => {
  expect(refused("/home/anna/.local/data/lock.pid")).toMatch(/^\/home\/anna\/.local\/data is not writable; grant/);
  expect(refused("/home/anna")).toBe(
    "/home/anna/.local/data cannot be created, because /home/anna is not writable; set OBELUS_DATA_DIR to another directory",
  );
  expect(refused("/srv/backup")).toBeUndefined();
});
