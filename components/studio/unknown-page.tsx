"use client";

import { Header } from "@/components/shell/header.tsx";
import { UnknownConversation } from "./unknown-conversation.tsx";

/** What an address shows whose conversation is not on this server. */
export function UnknownPage() {
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <Header />
      <main id="main" tabIndex={-1} className="outline-none">
        <UnknownConversation />
      </main>
    </div>
  );
}
