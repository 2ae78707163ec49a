/** What Bitrix24 answers in the place of a result: a status, and `{error, error_description}` as body. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  /** Often empty, as Bitrix24 gives it: then only the description tells. */
  readonly code: string;

  constructor(status: number, code: string, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }

  /** As it stands in an answer's body, and in `result_error` of a batch. */
  body(): { error: string; error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}

/** A refusal of the CRM's methods, which have no codes. */
export function crmRefusal(description: string): Refusal {
  return new Refusal(400, "", description);
}

/** A refusal of the tasks' methods; their descriptions end with a line break in HTML. */
export function coreRefusal(description: string): Refusal {
  return new Refusal(400, "ERROR_CORE", `${description}<br>`);
}
