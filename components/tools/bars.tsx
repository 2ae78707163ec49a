interface BarsProps {
  bars: readonly { count: number; failed: number }[];
  /** All bars are failures. */
  isFailed?: boolean;
}

/** Small bars over time, the failed part at the foot. What they count is beside them, so they are hidden from readers. */
export function Bars({ bars, isFailed = false }: BarsProps) {
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <svg aria-hidden viewBox={`0 0 ${bars.length} 20`} preserveAspectRatio="none" className="tool-chart h-5 w-full">
      {bars.map(({ count, failed }, index) => {
        const [height, foot] = [(count / highest) * 20, (failed / highest) * 20];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar has no other name
          <g key={index}>
            {count > 0 && (
              <rect
                x={index + 0.12}
                width={0.76}
                y={20 - Math.max(1, height)}
                height={Math.max(1, height)}
                className={isFailed ? "bar-failed" : "lane-bar"}
              />
            )}
            {failed > 0 && (
              <rect
                x={index + 0.12}
                width={0.76}
                y={20 - Math.max(1, foot)}
                height={Math.max(1, foot)}
                className="bar-failed"
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}
