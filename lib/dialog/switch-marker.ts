/** By this in its answer an agent hands its user over to the demonstration (D5). No user ever sees it. */
export const SWITCH_MARKER = "[SWITCH_TO_DEMO_RESULT]";
