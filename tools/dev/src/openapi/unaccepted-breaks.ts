import type { OpenApiDocument } from '@casewatch/contracts';
import { ROOT } from '../options.ts';
import { breakingChanges } from './breaking-changes.ts';
import { previousDocument } from './previous-document.ts';

/**
 * Breaking changes on purpose, as the check prints them. Within /v1 `Deprecation` and `Sunset` announce each change
 * 180 days ahead (interface.md §1). Empty the list after a release.
 */
const acceptedBreaks: readonly { readonly change: RegExp; readonly why: string }[] = [
  { change: /^POST \/v1\/unsubscribe: status (406|415) removed$/, why: 'any body and any Accept are taken' },
  {
    change: /: (query |body\.)email has another pattern, /,
    why: 'takes more: all local parts of RFC 5322 but quoted ones, and domains in punycode',
  },
  {
    change: /: body\.(name|description) has another pattern, /,
    why: 'what has no visible character, or hides format characters, never was a name',
  },
  {
    change: /: answer 20[01]\.case\.user may now be null$/,
    why: 'a key without `users:read` sees no name anywhere; with the scope nothing changes',
  },
  {
    change: /^POST \/v1\/client\/imports: body(\.rows is now required| may no longer be string)$/,
    why: 'the document showed the file in place of the JSON; the operation takes both, as before',
  },
  {
    change: /^GET \/v1\/client\/audit: query object has another pattern, /,
    why: 'takes more: the kind `import`',
  },
];

export function unacceptedBreaks(document: OpenApiDocument, root = ROOT): string[] {
  const before = previousDocument(document, root);
  if (!before) return [];
  const isAccepted = (found: string) => acceptedBreaks.some(({ change }) => change.test(found));
  return breakingChanges(before, document).filter((change) => !isAccepted(change));
}
