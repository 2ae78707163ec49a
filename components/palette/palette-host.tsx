"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { releaseKeys } from "@/components/keys/keyboard-capture.ts";
import { onPalette } from "./open-palette.ts";

// Loaded on first use.
const Palette = lazy(() =>
  import("./palette.tsx").then(
    (module) => ({ default: module.Palette }),
    (error: unknown) => {
      releaseKeys();
      throw error;
    },
  ),
);

/** The command palette (Ctrl+K, ⌘K). */
export function PaletteHost() {
  const [isOpen, setOpen] = useState(false);
  // The outside system is the keyboard.
  useEffect(
    () =>
      onPalette(
        () => setOpen(true),
        () => setOpen(false),
      ),
    [],
  );
  return isOpen ? (
    <Suspense>
      <Palette onClose={() => setOpen(false)} />
    </Suspense>
  ) : null;
}
