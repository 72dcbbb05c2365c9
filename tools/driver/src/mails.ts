import type { Addresses } from './dev-file.ts';
import { readJson } from './stand-in.ts';
import { until, type Waiting } from './until.ts';

export type Mail = { subject: string; text: string | null; html: string; headers: Record<string, string> };

/** Six digits that stand alone: a code to sign in. */
export const codePattern = /\b(\d{6})\b/;

/** The mails to an address that the mail catcher has, in the order of their arrival. */
export function mailsTo({ mail_url }: Addresses, email: string): Promise<Mail[]> {
  return readJson(`${mail_url}/sandbox/mails?to=${encodeURIComponent(email)}`);
}

/** The first group of the pattern in the first mail to an address that has it; `nth`: in another one, -1 is the newest. */
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

/** The first group of the pattern in each mail that has it; the link to unsubscribe stands in a header alone. */
export async function matchesIn(at: Addresses, email: string, pattern: RegExp): Promise<string[]> {
  return (await mailsTo(at, email)).flatMap(
    ({ text, headers }) => pattern.exec(`${text}\n${headers['list-unsubscribe'] ?? ''}`)?.[1] ?? [],
  );
}
