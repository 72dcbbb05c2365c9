import { createHash } from 'node:crypto';
import type { ParsedStatus } from './parse-case-status.ts';

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
