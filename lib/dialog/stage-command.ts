/** The words alone, between whatever is neither letter nor digit; in a group Telegram names the bot: `/stop@some_bot`. */
const STOP = /^[^\p{L}\p{N}]*(?:стоп|stop|\/stop@\w{1,64})[^\p{L}\p{N}]*$/iu;

/** Characters that a person may spend on it; longer messages are not even looked at. */
const MOST_CHARACTERS = 200;

/** Whether a message is the command that leads back to the administrator, in any writing of it (D2). */
export function isStopCommand(message: string): boolean {
  return message.length <= MOST_CHARACTERS && STOP.test(message);
}
