"use client";

import { lazy, Suspense } from "react";

// Each studio loads this file for the case that it is needed, and what it shows only then.
const UnknownPage = lazy(() =>
  import("@/components/studio/unknown-page.tsx").then((room) => ({ default: room.UnknownPage })),
);

/** The conversation of the address is not on this server. */
export default function ConversationNotFound() {
  return (
    <Suspense>
      <UnknownPage />
    </Suspense>
  );
}
