import fc from "fast-check";
import type { ChatConversation } from "../chat-format.ts";

type Entry = ChatConversation["messages"][number];

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "Error: no such order", '{"total": 48.9}', "[1,2", "null"),
);
const content = fc.oneof(
  text,
  fc.constant(null),
  fc.array(fc.record({ type: fc.constantFrom("text", "image_url"), text }), { maxLength: 3 }),
);
// Few ids and tools, so that ids repeat within a conversation and results match calls.
const sourceId = fc.constantFrom("call_1", "call_2", "call_3", "", null);
const tool = fc.constantFrom("get_order", "issue_refund", "transfer_to_human_agents");
const toolCall = fc.record({ id: sourceId, function: fc.record({ name: tool, arguments: text }) });

const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "system", "developer"), content }),
  fc.record({ role: fc.constant("assistant"), content, tool_calls: fc.option(fc.array(toolCall, { maxLength: 3 })) }),
  fc.record({ role: fc.constant("tool"), content: text, tool_call_id: sourceId }),
);

/** Any conversation in the chat format, plausible or not. */
export const anyChat: fc.Arbitrary<ChatConversation> = fc.record({
  id: fc.uuid(),
  metadata: fc.option(fc.dictionary(fc.string(), fc.constantFrom("x", 1, null))),
  messages: fc.array(entry, { maxLength: 25 }),
});
