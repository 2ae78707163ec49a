import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { evalManifest } from "next/dist/server/load-manifest.external.js";
import { z } from "zod";
import { createYielder } from "../../../event-loop/yielding.ts";

/** The entry of a page, by which Next loads its client components for rendering. */
const entry = z.object({
  __next_app__: z.object({
    loadChunk: z.custom<(chunk: string) => unknown>((value) => typeof value === "function"),
    require: z.custom<(id: string | number) => unknown>((value) => typeof value === "function"),
  }),
});

/** The modules of a page's client components, and their chunks. */
const manifests = z.object({
  __RSC_MANIFEST: z.record(
    z.string(),
    z.object({
      ssrModuleMapping: z.record(
        z.string(),
        z.record(z.string(), z.object({ id: z.union([z.string(), z.number()]), chunks: z.array(z.string()) })),
      ),
    }),
  ),
});

/**
 * Preloads the modules of routes and pages, yielding to the event loop between them: the first request of each would load them at
 * once, which blocked others for 100 ms and more.
 */
export async function preloadPages(server: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const yielder = createYielder();
  for (const file of globSync("app/**/{route,page}.js", { cwd: server })) {
    require(join(server, file));
    if (yielder.isDue()) await yielder.yieldOnce();
  }
  // A page imports its language while it is rendered, so no manifest names it.
  for (const file of globSync("chunks/ssr/components_i18n_*.js", { cwd: server })) require(join(server, file));
  const { __next_app__: app } = entry.parse(require(join(server, "app/page.js")));
  const loaded = new Set<string | number>();
  for (const file of globSync("app/**/page_client-reference-manifest.js", { cwd: server })) {
    const { __RSC_MANIFEST: pages } = manifests.parse(evalManifest(join(server, file)));
    if (yielder.isDue()) await yielder.yieldOnce();
    for (const { ssrModuleMapping } of Object.values(pages)) {
      for (const { id, chunks } of Object.values(ssrModuleMapping).flatMap((names) => Object.values(names))) {
        if (loaded.has(id)) continue;
        loaded.add(id);
        await Promise.all(chunks.map((chunk) => app.loadChunk(chunk)));
        app.require(id);
        if (yielder.isDue()) await yielder.yieldOnce();
      }
    }
  }
}
