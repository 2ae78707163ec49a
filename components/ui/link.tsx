"use client";

import NextLink from "next/link";
import { type ComponentProps, useRef, useState } from "react";

/** How long the pointer or the focus rests on a link before its page is requested, ms: one that passes over a list requests nothing. */
const REST = 80;

type LinkProps = Omit<ComponentProps<typeof NextLink>, "prefetch"> & {
  /** Requests the page once the pointer or the focus rests on the link, or the pointer is pressed. Only for pages that continue from the data they were given. */
  prefetchOnRest?: boolean;
  /** Called once it is requested: what the page loads after its first render can be loaded, too. */
  onPrefetch?: () => void;
};

/**
 * A link to a page of the console. Next would request parts of each page that is linked in view, which are of no use where pages
 * depend on their data: 14 requests for each page, and more of the server's time than the page itself.
 */
export function Link({
  prefetchOnRest = false,
  onPrefetch,
  onPointerEnter,
  onPointerLeave,
  onPointerDown,
  onFocus,
  onBlur,
  ...props
}: LinkProps) {
  const [rested, setRested] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const request = () => {
    if (!prefetchOnRest || rested) return;
    setRested(true);
    onPrefetch?.();
  };
  const begin = () => {
    timer.current = setTimeout(request, REST);
  };
  const end = () => clearTimeout(timer.current);
  return (
    <NextLink
      {...props}
      prefetch={rested}
      onPointerEnter={(event) => {
        begin();
        onPointerEnter?.(event);
      }}
      onPointerLeave={(event) => {
        end();
        onPointerLeave?.(event);
      }}
      onPointerDown={(event) => {
        request();
        onPointerDown?.(event);
      }}
      onFocus={(event) => {
        begin();
        onFocus?.(event);
      }}
      onBlur={(event) => {
        end();
        onBlur?.(event);
      }}
    />
  );
}
