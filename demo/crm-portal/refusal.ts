/** A Bitrix24 error: an HTTP status and `{error, error_description}`. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  /** Often empty, as in Bitrix24: then only the description is set. */
  readonly code: string;

  constructor(status: number, code: string, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }

  /** As in a response's body, and in `result_error` of a batch. */
  body(): { error: string; error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}

/** An error of CRM methods, which have no codes. */
export function crmRefusal(description: string): Refusal {
  return new Refusal(400, "", description);
}

/** An error of task methods; their descriptions end with an HTML line break. */
export function coreRefusal(description: string): Refusal {
  return new Refusal(400, "ERROR_CORE", `${description}<br>`);
}
