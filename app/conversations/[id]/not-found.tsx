"use client";

import { lazy, Suspense } from "react";

// Every studio bundles this file, so its content is loaded on demand.
const UnknownPage = lazy(() =>
  import("@/components/studio/unknown-page.tsx").then((room) => ({ default: room.UnknownPage })),
);

/** The conversation in the address is not on this server. */
export default function ConversationNotFound() {
  return (
    <Suspense>
      <UnknownPage />
    </Suspense>
  );
}
