import { ApiProblem, Unreachable } from "./api.ts";
import { watchAnswer } from "./signed-out.ts";

interface Sending {
  /** Hears how many bytes have been sent. */
  onSent: (bytes: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a file from disk and gives the answer, whose shape is `T` by the API's contract. Throws `ApiProblem`,
 * `Unreachable`, or the signal's reason. `fetch` does not tell how much it has sent.
 */
export function sendFile<T>(address: string, file: Blob, { onSent, signal }: Sending): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const noteAnswer = watchAnswer();
    const abort = () => request.abort();
    request.open("POST", address);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const { status, response } = request;
      noteAnswer(status);
      if (status >= 200 && status < 300) resolve(response);
      else reject(problemOf(status, request.statusText, response));
    };
    request.onerror = () => reject(new Unreachable("The server does not answer"));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort);
    request.send(file);
  });
}

/** An answer that is not ours still has its status. */
function problemOf(status: number, text: string, response: { code?: string; detail?: string } | null): ApiProblem {
  return new ApiProblem({
    status,
    code: response?.code ?? "unknown",
    detail: response?.detail ?? `${status} ${text}`,
    errors: [],
  });
}
