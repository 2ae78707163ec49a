import { Header } from "@/components/shell/header.tsx";
import { UnknownConversation } from "@/components/studio/unknown-conversation.tsx";

/** The conversation of the address is not on this server. */
export default function ConversationNotFound() {
  return (
    <div className="grid h-dvh grid-rows-[auto_minmax(0,1fr)]">
      <Header />
      <main id="main" tabIndex={-1} className="outline-none">
        <UnknownConversation />
      </main>
    </div>
  );
}
