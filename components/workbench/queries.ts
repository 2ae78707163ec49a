/** Where the answers of the API stand in the browser's cache. */
export const conversationKey = (id: string) => ["conversation", id] as const;
/** The prompts, each by its request. */
export const RENDERED_KEY = ["rendered-prompt"] as const;
