import { type KnownStatus, knownStatuses } from './status-table.ts';

export type StatusMatch = { knownStatus: KnownStatus | null; slug: string; category: string };

/** Another noun comes first: "Request To Expedite My Case Was Denied" says nothing of the case. */
const otherNoun = 'of|for|to|in|on|about|with|by|from|because|after|requests?|motions?|fees?|waivers?';
/** "… For Alien Relative", "… To Register Permanent Residence". */
const complement =
  '(?: (?:for|of|to)(?: (?!(?:fees?|requests?|motions?|which|that|was|were|is|has|have|had)\\b)\\w+){1,8})?';
/** "has been", "was automatically", "was reviewed and". Not "will be", "may be": these have not happened. */
const link = '(?: (?:was|were|is|are|has|have|had|been|and|then|\\w+ly|\\w+ed))*';

/** A title that says this of a noun: "Petition For Alien Relative Was Approved", "We Approved Your Petition". */
function saidOf(nouns: string, verb: string): RegExp {
  const passive = `^(?:(?!\\b(?:${otherNoun})\\b).)*\\b(?:${nouns})${complement}${link} ${verb}\\b`;
  const active = `^(?:we|uscis)(?: have| has)? ${verb}(?: my| your| the| this)? (?:${nouns})(?:$|${complement}$)`;
  return new RegExp(`${passive}|${active}`);
}

/** A verb that decides is believed of these nouns alone: "Fee Waiver Request Was Denied" is no denial of the case. */
const caseItself = 'cases?|petitions?|applications?';
const sent =
  '(?:produced|printed|ordered|issued|mailed|sent|shipped|picked up|delivered|returned|held|destroyed)';
const sending = `(?: (?:was|were|is|are|has|have|been|being|will|be|\\w+ly))* ${sent}\\b`;

/** Fixed order: the first keyword found decides (domain knowledge; "response received" must precede "evidence"). */
const keywords: readonly [RegExp, string][] = [
  [/^(?!.*\b(?:from|inquiry|inquiries|service|expedite|survey)\b).*\bresponse\b.*\breceived\b/, 'evidence'],
  [saidOf(`${caseItself}|appeals?`, 'denied'), 'denied'],
  [saidOf(`${caseItself}|approval|status`, '(?:terminated|revoked)'), 'denied'],
  [saidOf(`${caseItself}|appeals?|package|filing|submission`, 'rejected'), 'rejected'],
  [
    /\brequests? for (?:(?!return|cop)\w+ )*evidence\b|\bevidence\b.*\b(?:requested|required|needed|received)\b/,
    'evidence',
  ],
  [/\bintent to (?:deny|revoke|rescind|terminate|reject|dismiss|withdraw approval)\b/, 'evidence'],
  [saidOf(caseItself, 'approved'), 'approved'],
  [saidOf(caseItself, 'withdrawn'), 'closed'],
  [new RegExp(`(?<!\\b(?:credit|debit|post|payment|index|business) )\\bcards?${sending}`), 'card'],
  [new RegExp(`(?<!\\b(?:supporting|original|missing|additional) )\\bdocuments?${sending}`), 'document'],
  [/^(?!.*\b(?:no|waive[dr]?|exempt)\b).*\b(?:oath|naturalization) ceremony\b/, 'oath'],
  [/^(?!.*\b(?:no|waive[dr]?|exempt)\b).*\binterview\b/, 'interview'],
  [/^(?!.*\b(?:no|waive[dr]?|exempt)\b).*\b(?:biometrics?|fingerprints?)\b/, 'biometrics'],
  [saidOf(`${caseItself}|appeals?|files?`, 'transferred'), 'transfer'],
  [saidOf(caseItself, 'received'), 'received'],
];

/** Characters of a title that keywords are looked for in; the longest known one has 81. */
const longestTitle = 300;
/** "Was Not Revoked" is the opposite of its keyword. */
const denial =
  /\b(?:not|cannot|never|neither|nor|unable|(?:is|are|was|were|has|have|had|do|does|did|ca|wo|could|would)nt)\b/;
/** What was decided no longer holds, or has not happened. */
const undone =
  /\b(?:if|unless|until|whether|when|before|reopened|reconsidered|reversed|vacated|rescinded|overturned|error)\b/;

let byTitle: Map<string, KnownStatus> | undefined;

/** Exact match, then alias, then keyword to a category, otherwise `unknown` (upstream.md, Status titles). A title with "not" has no keyword. */
export function matchStatus(title: string): StatusMatch {
  byTitle ??= index();
  const exact = byTitle.get(title);
  if (exact) return matchOf(exact);
  const normalised = normaliseTitle(title);
  const knownStatus = byTitle.get(normalised);
  if (knownStatus) return matchOf(knownStatus);
  const isPlain = normalised.length <= longestTitle && !denial.test(normalised) && !undone.test(normalised);
  const guess = isPlain ? keywords.find(([pattern]) => pattern.test(normalised)) : undefined;
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
