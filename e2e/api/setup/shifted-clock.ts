import { readFileSync, watchFile } from "node:fs";

// Preloaded into a server (NODE_OPTIONS=--import): shifts its clock by the ms in the file OBELUS_TEST_SHIFT.
const file = process.env.OBELUS_TEST_SHIFT ?? "";
const RealDate = Date;
let shift = 0;
const read = () => {
  shift = Number(readFileSync(file, "utf8"));
};
read();
// Watches the file without keeping the process alive.
watchFile(file, { interval: 20, persistent: false }, read);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + shift] : args, newTarget),
  apply: () => new RealDate(RealDate.now() + shift).toString(),
  get: (target, name) => (name === "now" ? () => RealDate.now() + shift : Reflect.get(target, name)),
});
