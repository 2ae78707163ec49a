/** The id of the details' title, which can be focused. */
export const TITLE_ID = "approval-title";
