/** The marker in an agent's answer that switches to the demonstration (D5). Users must never see it. */
export const SWITCH_MARKER = "[SWITCH_TO_DEMO_RESULT]";
