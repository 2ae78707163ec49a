/** The prefix of agents that store users' memories; the user's id follows. */
export const MEMORY_AGENTS = "memory:";

/** The prefix of agents that store conversations' dialogs; the conversation's id follows. */
export const DIALOG_AGENTS = "dialog:";

/** The prefix of Obelus's own agents, which store tools, delegates and agents. */
export const OBELUS_AGENTS = "obelus:";

/** The prefixes of actors of this server: users, and keys. */
const ACTORS_HERE = ["operator:", "key:"];

/** The prefix of the ids in conversations of this server's channels. */
const CHANNELS = ["telegram:"];

/**
 * The prefixes of ids that are derived from AG-UI streams and OpenTelemetry spans. An event that a client sends with
 * such an id would prevent the derived one from being stored, and all of its span.
 */
const DERIVED_IDS = ["ag-ui:", "otlp:"];

/** Whether the id of an event or a message is derived by this server. */
export function isDerivedId(id: string): boolean {
  return DERIVED_IDS.some((kind) => id.startsWith(kind));
}

/** Whether an actor is of this server, or is read as one. */
export function isActorHere(actor: string): boolean {
  const read = actor.trim().toLowerCase();
  return ACTORS_HERE.some((kind) => read.startsWith(kind));
}

/** Whether the id of a conversation, an event or a message is of a channel of this server. */
export function isOfChannel(id: string): boolean {
  return CHANNELS.some((channel) => id.startsWith(channel));
}
