import { ApiProblem, Unreachable } from "./api.ts";
import { watchAnswer } from "./signed-out.ts";

interface Sending {
  /** Called with the number of sent bytes. */
  onSent: (bytes: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads a file and returns the response, of type `T` by the API. Throws `ApiProblem`, `Unreachable` or the signal's
 * reason. Uses XMLHttpRequest, because `fetch` has no upload progress.
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

/** A response from a proxy still has a status. */
function problemOf(status: number, text: string, response: { code?: string; detail?: string } | null): ApiProblem {
  return new ApiProblem({
    status,
    code: response?.code ?? "unknown",
    detail: response?.detail ?? `${status} ${text}`,
    errors: [],
  });
}
