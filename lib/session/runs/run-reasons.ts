/** Why everything open at a fork's step was closed in the fork (E9). */
export const FORKED = "Forked";

/** Why a run ended whose plan was proposed and not run (P22). */
export const SHADOW = "shadow";
