/** Query keys. */
export const conversationKey = (id: string) => ["conversation", id] as const;
/** Prompts by request. */
export const RENDERED_KEY = ["rendered-prompt"] as const;
