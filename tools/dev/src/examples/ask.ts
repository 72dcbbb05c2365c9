/** One request to show; the method is the operation's own. */
export type Ask = {
  /** Headers that say who calls; left out by those who need none. */
  as?: Record<string, string>;
  /** Path and query, as they go over the wire. */
  path: string;
  body?: unknown;
  form?: Record<string, string>;
  /** A body that is not shown: what is wrong with it, JSON cannot say. */
  raw?: string;
  headers?: Record<string, string>;
};
