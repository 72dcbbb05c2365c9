import { createHash } from 'node:crypto';
import type { ChangedPart, StatusFacts } from '@casewatch/contracts';
import { historyKeys } from './history.ts';
import type { ParsedStatus } from './parse-case-status.ts';
import { titleKey, wordsOf } from './words.ts';

/** The part of a state that people are told of. `content_hash`: SHA-256, hex. */
export type Content = { content_hash: string; status_code: string };

// A link, with or without its scheme: https://…, www.…, uscis.gov/….
const link = /https?:|\bwww\.|\b[a-z0-9-]+\.(?:gov|com|org|net|us)\b/i;
// "1-800-375-5283", "800-767-1833", "(800) 375-5283".
const phoneNumber = /\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b/;
const betweenSentences = /(?<=[.!?])\s+/;

/** Sentences with a link or a phone number do not count: USCIS changes them in all cases at the same time. */
export function contentOf({ status_code, status_description }: StatusFacts): Content {
  // Typography must not move the ends of sentences, or hide a phone number.
  const text = status_description
    .normalize('NFKC')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+(?=[.!?])/g, '');
  const sentences = text.split(betweenSentences);
  const told = sentences.filter((sentence) => !link.test(sentence) && !phoneNumber.test(sentence));
  return { content_hash: sha256([titleKey(status_code), wordsOf(told.join(' '))]), status_code };
}

export function isSameContent(first: StatusFacts, second: StatusFacts): boolean {
  return contentOf(first).content_hash === contentOf(second).content_hash;
}

export function isSameTitle(first: string, second: string): boolean {
  return titleKey(first) === titleKey(second);
}

/** What `changes` compares, as short hashes of words. `date`: the date of submission. */
export type Parts = { title: string; text: string; history: string; date: string | null };

export function partsOf(facts: StatusFacts): Parts {
  return {
    title: short(wordsOf(facts.status_code)),
    text: short(wordsOf(facts.status_description)),
    history: short(historyKeys(facts)),
    date: facts.submitted_date,
  };
}

const changeable = ['title', 'text', 'history', 'date'] as const satisfies readonly ChangedPart[];

export function changesBetween(before: Parts, now: Parts): ChangedPart[] {
  return changeable.filter((part) => before[part] !== now[part]);
}

export type Hashes = { facts_hash: string; spanish_hash: string };

/** The hashes that detect changes: one of the facts, one of the Spanish texts of USCIS (monitor.md). */
export function hashesOf({ facts, spanish }: ParsedStatus): Hashes {
  const { title, description, history } = spanish;
  const texts = [title, description].map((text) => text && wordsOf(text));
  const entries = history.map((text) => text && wordsOf(text)).toSorted();
  return {
    facts_hash: factsHashOf(facts),
    spanish_hash: sha256([texts, entries]),
  };
}

/** Without `modified_date`, which USCIS moves alone, and without typography. */
export function factsHashOf(facts: StatusFacts): string {
  return sha256([partsOf(facts), facts.form_type]);
}

function short(value: unknown): string {
  return sha256(value).slice(0, 16);
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
