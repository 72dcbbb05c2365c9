import type { Addresses } from './dev-file.ts';
import { readJson } from './stand-in.ts';
import { until, type Waiting } from './until.ts';

export type Mail = {
  id: string;
  to: string;
  subject: string;
  text: string | null;
  html: string;
  headers: Record<string, string>;
};

/** Six digits that stand alone: a code to sign in. */
export const codePattern = /\b(\d{6})\b/;

/** The mails to an address that the mail catcher has, in the order of their arrival. */
export function mailsTo({ mail_url }: Addresses, email: string): Promise<Mail[]> {
  return readJson(`${mail_url}/sandbox/mails?to=${encodeURIComponent(email)}`);
}

type Search = Waiting & { nth?: number };

/** The first group of the pattern in the first mail to an address that has it; `nth`: in another one, -1 is the newest. */
export async function inMail(
  addresses: Addresses,
  email: string,
  pattern: RegExp,
  { nth = 0, ...waiting }: Search = {},
): Promise<string> {
  return await until(async () => (await matchesIn(addresses, email, pattern)).at(nth), {
    timeoutMs: 30_000,
    intervalMs: 50,
    what: `a mail to ${email} with ${pattern.source}`,
    ...waiting,
  });
}

/** The first group of the pattern in each mail that has it; the link to unsubscribe stands in a header alone. */
export async function matchesIn(addresses: Addresses, email: string, pattern: RegExp): Promise<string[]> {
  const texts = (await mailsTo(addresses, email)).map(
    ({ text, headers }) => `${text}\n${headers['list-unsubscribe'] ?? ''}`,
  );
  return texts.flatMap((text) => pattern.exec(text)?.[1] ?? []);
}
