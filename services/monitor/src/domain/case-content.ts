import { createHash } from 'node:crypto';
import { matchStatus, normaliseTitle, type StatusFacts } from '@casewatch/contracts';
import type { ParsedStatus } from './parse-case-status.ts';

/** The part of a state that people are told of. `content_hash`: SHA-256, hex. */
export type Content = { content_hash: string; status_code: string };

// A link, with or without its scheme: https://…, www.…, uscis.gov/….
const link = /https?:|\bwww\.|\b[a-z0-9-]+\.(?:gov|com|org|net|us)\b/i;
// "1-800-375-5283", "800-767-1833", "(800) 375-5283".
const phoneNumber = /\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b/;
const betweenSentences = /(?<=[.!?])\s+/;

/** Sentences with a link or a phone number do not count: USCIS changes them in all cases at once (monitor.md). */
export function contentOf({ status_code, status_description, form_type }: StatusFacts): Content {
  const sentences = status_description.split(betweenSentences);
  const words = sentences.filter((sentence) => !link.test(sentence) && !phoneNumber.test(sentence));
  return { content_hash: sha256([titleKey(status_code), words, form_type]), status_code };
}

export function isSameTitle(first: string, second: string): boolean {
  return titleKey(first) === titleKey(second);
}

/** Titles that are aliases of one another are the same title. */
export function titleKey(title: string): string {
  return matchStatus(title).knownStatus?.code ?? normaliseTitle(title);
}

export type Hashes = { facts_hash: string; spanish_hash: string };

/** The SHA-256 hashes that detect changes, hex: one of the facts, one of the Spanish texts of USCIS (monitor.md). */
export function hashesOf({ facts, spanish }: ParsedStatus): Hashes {
  const history = facts.history.map(({ date, status_code }) => [date, status_code]);
  const { status_code, status_description, form_type, submitted_date, modified_date } = facts;
  return {
    facts_hash: sha256([status_code, status_description, form_type, submitted_date, modified_date, history]),
    spanish_hash: sha256([spanish.title, spanish.description, spanish.history]),
  };
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
