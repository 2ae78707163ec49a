import { readFileSync, watchFile } from "node:fs";

// Loaded into a server before all else (NODE_OPTIONS=--import): its clock is off by the ms in the file OBELUS_TEST_SHIFT.
const file = process.env.OBELUS_TEST_SHIFT ?? "";
const RealDate = Date;
let shift = 0;
const read = () => {
  shift = Number(readFileSync(file, "utf8"));
};
read();
// A reader for the file's changes that does not keep the process alive.
watchFile(file, { interval: 20, persistent: false }, read);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + shift] : args, newTarget),
  apply: () => new RealDate(RealDate.now() + shift).toString(),
  get: (target, name) => (name === "now" ? () => RealDate.now() + shift : Reflect.get(target, name)),
});
