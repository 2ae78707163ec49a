/**
 * The word alone, between characters that are neither letters nor digits; in groups Telegram adds the bot's name:
 * `/stop@some_bot`.
 */
const STOP = /^[^\p{L}\p{N}]*(?:стоп|stop|\/stop@\w{1,64})[^\p{L}\p{N}]*$/iu;

/** The maximum length of the command; longer messages are not examined. */
const MOST_CHARACTERS = 200;

/** Whether a message is the command to return to the administrator, in any spelling (D2). */
export function isStopCommand(message: string): boolean {
  return message.length <= MOST_CHARACTERS && STOP.test(message);
}
