/**
 * For a server whose pages are compared with pictures: with `node --import` of this its time stands still at
 * `STOPPED_AT`, in its threads, too, so that the demo is the same at any time.
 */
const NOW = Date.parse(process.env.STOPPED_AT ?? "");

Date.now = () => NOW;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [NOW] : args, newTarget),
});
