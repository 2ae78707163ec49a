"use client";

import { useProblemText } from "@/components/format/use-problem-text.ts";
import { ApiProblem } from "./api.ts";

interface ApiErrorAlertProps {
  error: Error | null;
  /** The text for any error that is not the API's. */
  otherwise: string;
  className?: string;
}

/** An API error with the invalid fields; of an invalid plan its first problem, in the reader's language. */
export function ApiErrorAlert({ error, otherwise, className = "" }: ApiErrorAlertProps) {
  const textOf = useProblemText();
  if (!error) return null;
  const problem = error instanceof ApiProblem ? error : null;
  const first = problem?.problems.find(({ severity }) => severity === "error");
  return (
    <div role="alert" className={`text-st-failed wrap-anywhere ${className}`}>
      <p className="text-pretty">{problem ? textOf(first ?? problem) : otherwise}</p>
      {problem && problem.errors.length > 0 && (
        <ul>
          {problem.errors.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code className="font-mono text-11">{path || "/"}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
