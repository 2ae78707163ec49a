/** What the agents that keep users' memories are called by; the user's id follows. */
export const MEMORY_AGENTS = "memory:";

/** What the agents that keep conversations' dialogs are called by; the conversation's id follows. */
export const DIALOG_AGENTS = "dialog:";

/** What Obelus itself is called by where it keeps its own: tools, delegates and agents. */
export const OBELUS_AGENTS = "obelus:";

/** Whom actors are that acted here themselves: people who sign in, and keys. */
const ACTORS_HERE = ["operator:", "key:"];

/** What the ids of conversations that a channel of this server writes begin with, and those of all that is in them. */
const CHANNELS = ["telegram:"];

/**
 * What the ids begin with that this server makes of what AG-UI streams and spans of OpenTelemetry tell. An event that is told under
 * such an id would take the place of the one that is made: that one would be there already.
 */
const DERIVED_IDS = ["ag-ui:", "otlp:"];

/** Whether only this server makes such an id of an event or a message. */
export function isDerivedId(id: string): boolean {
  return DERIVED_IDS.some((kind) => id.startsWith(kind));
}

/** Whether an actor is somebody of this server, or is read as one. */
export function isActorHere(actor: string): boolean {
  const read = actor.trim().toLowerCase();
  return ACTORS_HERE.some((kind) => read.startsWith(kind));
}

/** Whether a conversation, an event or a message is of a channel of this server. */
export function isOfChannel(id: string): boolean {
  return CHANNELS.some((channel) => id.startsWith(channel));
}
