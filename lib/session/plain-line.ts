/** Text of one line, without what turns the direction of a text that is shown or sent with it. */
export const PLAIN_LINE = /^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u;

/** Says what such a text must not have. */
export const PLAIN_LINE_FAULT = "must not contain control characters";
