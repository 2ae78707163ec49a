/** Styles of the administration tables. */
export const TABLE_PLACE = "-mx-2 overflow-x-auto";
export const TABLE = "w-full border-collapse text-left text-12";
export const TABLE_HEAD =
  "h-8 border-line-strong border-b pr-4 align-middle font-normal text-11 whitespace-nowrap text-fg-3 first:pl-2 last:pr-2";
export const TABLE_CELL = "h-11 border-line border-b pr-4 align-middle first:pl-2 last:pr-2";
