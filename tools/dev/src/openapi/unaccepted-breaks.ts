import type { OpenApiDocument } from '@casewatch/contracts';
import { ROOT } from '../options.ts';
import { breakingChanges } from './breaking-changes.ts';
import { previousDocument } from './previous-document.ts';

/**
 * Breaking changes on purpose, as the check prints them. Within /v1 `Deprecation` and `Sunset` announce each change
 * 180 days ahead (interface.md §1). Empty the list after a release.
 */
const acceptedBreaks: readonly { readonly change: string; readonly why: string }[] = [
  { change: 'POST /v1/unsubscribe: status 406 removed', why: 'any Accept is taken: no client meets it' },
  { change: 'POST /v1/unsubscribe: status 415 removed', why: 'any body is taken: no client meets it' },
];

export function unacceptedBreaks(document: OpenApiDocument, root = ROOT): string[] {
  const before = previousDocument(document, root);
  if (!before) return [];
  const accepted = acceptedBreaks.map(({ change }) => change);
  return breakingChanges(before, document).filter((change) => !accepted.includes(change));
}
