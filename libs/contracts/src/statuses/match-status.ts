import { type KnownStatus, knownStatuses } from './status-table.ts';

export type StatusMatch = { knownStatus: KnownStatus | null; slug: string; category: string };

/** Fixed order: the first keyword found decides (domain knowledge; "response received" must precede "evidence"). */
const keywords: readonly [RegExp, string][] = [
  // The first "response", then "received". Without the first part a long title is searched from each of its words.
  [/^(?:(?!response).)*response.*received/, 'evidence'],
  [/\b(denied|terminated|revoked)\b/, 'denied'],
  [/\brejected\b/, 'rejected'],
  [/\b(evidence|intent to)\b/, 'evidence'],
  [/\bapproved\b/, 'approved'],
  [/\bcard\b/, 'card'],
  [/\bdocument\b/, 'document'],
  [/\binterview\b/, 'interview'],
  [/\b(biometrics?|fingerprints?)\b/, 'biometrics'],
  [/\btransferred\b/, 'transfer'],
  [/\breceived\b/, 'received'],
];

let byTitle: Map<string, KnownStatus> | undefined;

/** Exact match, then alias, then keyword to a category, otherwise `unknown` (upstream.md, Status titles). A title with "not" has no keyword. */
export function matchStatus(title: string): StatusMatch {
  byTitle ??= index();
  const exact = byTitle.get(title);
  if (exact) return matchOf(exact);
  const normalised = normaliseTitle(title);
  const knownStatus = byTitle.get(normalised);
  if (knownStatus) return matchOf(knownStatus);
  // "Was Not Revoked" is the opposite of its keyword.
  const guess = /\bnot\b/.test(normalised)
    ? undefined
    : keywords.find(([pattern]) => pattern.test(normalised));
  return { knownStatus: null, slug: 'unknown', category: guess?.[1] ?? 'unknown' };
}

function matchOf(knownStatus: KnownStatus): StatusMatch {
  return { knownStatus, slug: knownStatus.code, category: knownStatus.category };
}

/** Lower case, apostrophes and invisible characters dropped, other punctuation to spaces, spaces collapsed. */
export function normaliseTitle(title: string): string {
  return withoutInvisible(title)
    .toLowerCase()
    .replace(/['’‘ʼ]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

// Characters that show nothing: soft hyphens, joiners, marks that turn the direction of text, variation selectors, tags.
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Without characters that show nothing or turn the direction of text; letters and their accents are composed (NFC). */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '').normalize('NFC');
}

/** By normalised title, and by the title that USCIS shows most often. */
function index(): Map<string, KnownStatus> {
  const map = new Map<string, KnownStatus>();
  for (const status of knownStatuses()) {
    for (const alias of status.aliases ?? []) map.set(normaliseTitle(alias), status);
  }
  // Titles after aliases: where an alias equals another row's title, the title wins.
  for (const status of knownStatuses()) map.set(normaliseTitle(status.en), status).set(status.en, status);
  return map;
}
