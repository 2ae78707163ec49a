/** A view of the list: its filters, order and columns under a name. */
export interface ListView {
  id: string;
  name: string;
  /** Who saved it, as an actor: `operator:anna`. */
  owner: string;
  /** The search part of the list's address, without its question mark. */
  query: string;
  /** Whether everybody sees it. */
  shared: boolean;
  /** ISO 8601. */
  created_at: string;
  updated_at: string;
}

/** Longer names do not fit the menu. */
export const LONGEST_VIEW_NAME = 60;
export const LONGEST_VIEW_QUERY = 2_000;
/** Views of one person. */
export const MOST_VIEWS = 100;
