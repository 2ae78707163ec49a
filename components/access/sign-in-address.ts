/** Where somebody signs in to come to a page of the console. */
export function signInAddress(to: string): string {
  return to === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ to })}`;
}
