"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { targetState } from "../edge/link-state.ts";
import { useGraphActions } from "../graph-actions.ts";
import type { Box, Output } from "../layout/geometry.ts";
import type { GraphNode } from "../plan-level.ts";
import { PathText } from "./node-pills.tsx";
import { useDoneCall } from "./use-node-call.ts";

interface NodeOutputsProps {
  node: GraphNode;
  box: Box;
  lit: readonly number[];
  reachable: boolean;
  /** The content left of the last row: the duration. */
  beside?: ReactNode;
}

/** The outputs of a call, each with its port on the right. */
export function NodeOutputs({ node, box, lit, reachable, beside }: NodeOutputsProps) {
  const call = useDoneCall(node);
  const t = useTranslations("graph");
  const { selectPath } = useGraphActions();
  const last = box.outputs.length - 1;
  const alternatives = (box.outputs[last]?.alternative ?? 0) + 1;
  return (
    <>
      {box.outputs.map((output, index) => (
        <div key={output.path} className="pg-output" style={{ top: output.y - box.top - 8 }}>
          {index === last && beside}
          {signOf(box.outputs, index) && (index !== last || !beside) && (
            <span className="pg-sign">{signOf(box.outputs, index)}</span>
          )}
          <button
            type="button"
            tabIndex={reachable ? 0 : -1}
            className="pg-output-path"
            data-lit={lit.includes(index) || undefined}
            data-state={targetState(call, output, alternatives)}
            title={output.path}
            aria-label={t("writesPath", { path: output.path })}
            onClick={() => selectPath(output.path)}
          >
            <PathText path={output.path} />
          </button>
        </div>
      ))}
      <svg className="pg-ports" width="1" height="1" aria-hidden="true">
        {box.outputs.map((output, index) => (
          <Port
            key={output.path}
            output={output}
            y={output.y - box.top}
            state={targetState(call, output, alternatives)}
            lit={lit.includes(index)}
          />
        ))}
        {fanOuts(box.outputs).map(({ first, height, from, to }) => (
          <rect
            key={first.path}
            className="pg-port pg-port-bar"
            data-state={targetState(call, first, alternatives)}
            data-lit={lit.some((index) => index >= from && index <= to) || undefined}
            x="-2.5"
            y={first.y - box.top - 5}
            width="5"
            height={height + 10}
            rx="1"
          />
        ))}
      </svg>
    </>
  );
}

interface PortProps {
  output: Output;
  y: number;
  state: "done" | "idle" | "off";
  lit: boolean;
}

/** A ring; a diamond for a branch, filled when taken. The targets of a fan-out share a bar instead. */
function Port({ output, y, state, lit }: PortProps) {
  const look = { className: "pg-port", "data-state": state, "data-lit": lit || undefined };
  if (output.branch) return <path {...look} data-full={state === "done" || undefined} d={`M0 ${y - 5}l5 5-5 5-5-5z`} />;
  return output.fanOut ? null : <circle {...look} cx="0" cy={y} r="3.2" />;
}

/** `&&` before the first target of a fan-out, `||` before the first of several alternatives. */
function signOf(outputs: readonly Output[], index: number): string | null {
  const output = outputs[index];
  if (!output) return null;
  if (output.branch && index === 0) return "||";
  return output.fanOut && !isSameFanOut(outputs[index - 1], output) ? "&&" : null;
}

function fanOuts(outputs: readonly Output[]): { first: Output; height: number; from: number; to: number }[] {
  return outputs.flatMap((first, from) => {
    if (!first.fanOut || isSameFanOut(outputs[from - 1], first)) return [];
    const to = outputs.findLastIndex((output) => isSameFanOut(output, first));
    return [{ first, height: (outputs[to]?.y ?? first.y) - first.y, from, to }];
  });
}

function isSameFanOut(one: Output | undefined, other: Output): boolean {
  return one?.fanOut === true && one.alternative === other.alternative;
}
