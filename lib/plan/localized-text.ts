/**
 * A text in English and what is needed to show it in another language: `message_id` is its key in
 * `messages/<language>/problems.json`, `values` replace `{0}`, `{1}` … there. Texts of other origin have neither.
 */
export type LocalizedText = {
  message: string;
  message_id?: string;
  values?: TextValue[];
};

export type TextValue = string | number | LocalizedText;

/** Tags a template literal with its message id: localized("unknown_tool")`There is no tool ${name}`. */
export function localized(
  message_id: string,
): (strings: TemplateStringsArray, ...values: TextValue[]) => LocalizedText {
  return (strings, ...values) => ({
    message: String.raw(
      { raw: strings },
      ...values.map((value) => (typeof value === "object" ? value.message : value)),
    ),
    message_id,
    ...(values.length > 0 && { values: values.map(textOf) }),
  });
}

/** Only the text of something that has more fields, such as a problem. */
function textOf(value: TextValue): TextValue {
  if (typeof value !== "object") return value;
  const { message, message_id, values } = value;
  return message_id === undefined ? message : { message, message_id, ...(values !== undefined && { values }) };
}
