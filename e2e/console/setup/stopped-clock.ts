/**
 * Stops the clock of a server for screenshots: with `node --import` of this file its time is `STOPPED_AT`, also in its
 * threads, so that the demo is always the same.
 */
const NOW = Date.parse(process.env.STOPPED_AT ?? "");

Date.now = () => NOW;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [NOW] : args, newTarget),
});
