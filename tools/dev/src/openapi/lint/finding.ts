/** What a linter has against the document, and where: the keys that lead there from its root. */
export type Finding = {
  readonly rule: string;
  readonly message: string;
  readonly path: readonly string[];
};
