/** Buttons that a key presses. */
export const RUN_ID = "playground-run";
export const SAVE_ID = "playground-save";
