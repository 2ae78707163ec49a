import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { evalManifest } from "next/dist/server/load-manifest.external.js";
import { z } from "zod";
import { createYielder } from "../../event-loop/yielding.ts";

/** The entry of a page: what Next loads components of the browser with while it renders. */
const entry = z.object({
  __next_app__: z.object({
    loadChunk: z.custom<(chunk: string) => unknown>((value) => typeof value === "function"),
    require: z.custom<(id: string | number) => unknown>((value) => typeof value === "function"),
  }),
});

/** Of a page: which modules its components of the browser are rendered from, and the chunks that these are in. */
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
 * Loads the modules that pages are rendered from, with turns for everybody else between them. Next loads only its entries when it
 * starts; the rest came with the first request for each page, in one go: others waited for 100 ms meanwhile.
 */
export async function preloadPages(server: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const yielder = createYielder();
  for (const file of globSync("chunks/ssr/*.js", { cwd: server })) {
    require(join(server, file));
    if (yielder.isDue()) await yielder.yieldOnce();
  }
  const { __next_app__: app } = entry.parse(require(join(server, "app/page.js")));
  const loaded = new Set<string | number>();
  for (const file of globSync("app/**/*_client-reference-manifest.js", { cwd: server })) {
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
