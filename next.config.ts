import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

const withNextIntl = createNextIntlPlugin("./components/i18n/request.ts");

const config: NextConfig = {
  // Builds are made aside and switched to; tests and several checkouts' servers each have their own.
  distDir: process.env.OBELUS_DIST_DIR ?? ".next",
  serverExternalPackages: ["better-sqlite3", "pino"],
  poweredByHeader: false,
  compress: true,
  // The types of everything, tests too, are checked by npm test; a start need not do it again.
  typescript: { ignoreBuildErrors: true },
  // Otherwise each build would write its own folder into tsconfig.json.
  experimental: { strictRouteTypes: true },
};

export default withNextIntl(config);
