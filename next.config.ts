import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

const withNextIntl = createNextIntlPlugin({
  requestConfig: "./components/i18n/request.ts",
  // The build compiles the messages: the browser gets a formatter of 1 kB instead of a parser of 11 kB (gzip).
  experimental: {
    messages: { path: ["./messages/en", "./messages/ru"], format: "json", locales: "infer", precompile: true },
  },
});

const config: NextConfig = {
  // Builds are made aside and switched to; tests and several checkouts' servers each have their own.
  distDir: process.env.OBELUS_DIST_DIR ?? ".next",
  serverExternalPackages: ["better-sqlite3", "pino"],
  poweredByHeader: false,
  compress: true,
  // The types of everything, tests too, are checked by npm test; a start need not do it again.
  typescript: { ignoreBuildErrors: true },

  experimental: {
    // Otherwise each build would write its own folder into tsconfig.json.
    strictRouteTypes: true,
    // What pages and routes need is loaded while requests are served (lib/server/front/console/preload-pages.ts): it took a fifth of a start.
    preloadEntriesOnStart: false,
    // A page requested in advance continues from its data; the shortest time that Next allows, s.
    staleTimes: { static: 30 },
  },
};

export default withNextIntl(config);
