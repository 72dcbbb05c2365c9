/**
 * Breaking changes that were made on purpose, word for word as the check says them. Within /v1 they must have been
 * announced by `Deprecation` and `Sunset` at least 180 days ahead (interface.md §1). Empty the list after a release.
 */
export const acceptedBreaks: readonly { readonly change: string; readonly why: string }[] = [];
