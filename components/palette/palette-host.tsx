"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { onPalette } from "./open-palette.ts";

// Its code comes when it is first asked for: no page waits for it.
const Palette = lazy(() => import("./palette.tsx").then((module) => ({ default: module.Palette })));

/** The command palette of every page (Ctrl K, ⌘ K). */
export function PaletteHost() {
  const [isOpen, setOpen] = useState(false);
  // The outside system is the keyboard.
  useEffect(() => onPalette(() => setOpen(true)), []);
  return isOpen ? (
    <Suspense>
      <Palette onClose={() => setOpen(false)} />
    </Suspense>
  ) : null;
}
