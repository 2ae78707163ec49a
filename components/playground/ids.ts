/** Ids of buttons with shortcuts. */
export const RUN_ID = "playground-run";
export const SAVE_ID = "playground-save";
