/** The look of the tables of administration: rows with room, a line between them. */
export const TABLE = "w-full border-collapse text-left text-12";
export const TABLE_HEAD =
  "h-8 border-line-strong border-b pr-4 align-middle font-normal text-11 whitespace-nowrap text-fg-3";
export const TABLE_CELL = "h-11 border-line border-b pr-4 align-middle";
