import type { Addresses } from './dev-file.ts';
import { readJson } from './stand-in.ts';
import { until, type Waiting } from './until.ts';

export type Mail = {
  subject: string;
  text: string | null;
  html: string;
  headers: Record<string, string>;
  /** ISO time. */
  received_at: string;
};

/** A login code: six digits. */
export const codePattern = /\b(\d{6})\b/;

export function mailsTo({ mail_url }: Addresses, email: string): Promise<Mail[]> {
  return readJson(`${mail_url}/sandbox/mails?to=${encodeURIComponent(email)}`);
}

/** Waits for the pattern's first group in the first mail that has it; `nth` takes another mail, -1 the newest. */
export function inMail(
  at: Addresses,
  email: string,
  pattern: RegExp,
  { nth = 0, ...waiting }: Waiting & { nth?: number } = {},
): Promise<string> {
  const what = `a mail to ${email} with ${pattern.source}`;
  const patience = { timeoutMs: 30_000, intervalMs: 50, what, ...waiting };
  return until(async () => (await matchesIn(at, email, pattern)).at(nth), patience);
}

/** The pattern's first group in each mail that has it; the link to unsubscribe is only in a header. */
export async function matchesIn(at: Addresses, email: string, pattern: RegExp): Promise<string[]> {
  return (await mailsTo(at, email)).flatMap(
    ({ text, headers }) => pattern.exec(`${text}\n${headers['list-unsubscribe'] ?? ''}`)?.[1] ?? [],
  );
}
