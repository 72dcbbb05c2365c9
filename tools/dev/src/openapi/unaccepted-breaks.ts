import type { OpenApiDocument } from '@casewatch/contracts';
import { ROOT } from '../options.ts';
import { acceptedBreaks } from './accepted-breaks.ts';
import { breakingChanges } from './breaking-changes.ts';
import { previousDocument } from './previous-document.ts';

/** What a document breaks that the one before it promised, and nobody has accepted; empty where there is none before. */
export function unacceptedBreaks(document: OpenApiDocument, root = ROOT): string[] {
  const before = previousDocument(document, root);
  if (!before) return [];
  const accepted = new Set(acceptedBreaks.map(({ change }) => change));
  return breakingChanges(before, document).filter((change) => !accepted.has(change));
}
