import { createHub, type Watch } from "./live-hub.ts";

/** A browser opens six connections per server: this worker holds one stream for all tabs. */
const hub = createHub("/api/stream?drafts=true&traces=true");

addEventListener("connect", (event) => {
  if (!(event instanceof MessageEvent)) return;
  for (const port of event.ports) {
    const member = hub.join((message) => port.postMessage(message));
    port.onmessage = (wish: MessageEvent<Watch>) => member.watch(wish.data);
  }
});
