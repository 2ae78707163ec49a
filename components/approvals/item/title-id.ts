/** The title of what is looked at, by which the focus finds it. */
export const TITLE_ID = "approval-title";
