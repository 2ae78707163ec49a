/** Why what was open at the step of a fork is closed in it, as events have it (E9). */
export const FORKED = "Forked";

/** Why a run ended whose plan was made and not run (P22). */
export const SHADOW = "shadow";
