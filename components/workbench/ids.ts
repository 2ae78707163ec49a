/** Ids of focusable elements. */
export const EDITOR_ID = "prompt-template";
export const SEARCH_ID = "prompt-conversation";
export const SOURCE_ID = "prompt-source";
