import { setTimeout as delay } from 'node:timers/promises';
import type { SeedOptions } from './seed-options.ts';

const PATIENCE_MS = 10_000;
const POLL_MS = 50;

/** Follows the link in the verification mail, as the person would. A mail that does not come is said, not fatal. */
export async function verifyByMail(
  email: string,
  { addresses, say, signal }: Pick<SeedOptions, 'addresses' | 'say' | 'signal'>,
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    const link = await findLink(addresses.mail_url, email);
    if (link !== undefined) {
      const response = await fetch(link, { headers: { accept: 'application/json' } });
      if (!response.ok) say(`A demo user's address could not be verified: ${response.status}`);
      return;
    }
    await delay(POLL_MS);
  }
  say('A demo user got no verification mail within 10 s, so it gets no status mails: see logs/notifier.log');
}

async function findLink(mailUrl: string, email: string): Promise<string | undefined> {
  const response = await fetch(`${mailUrl}/sandbox/mails?to=${encodeURIComponent(email)}`);
  const mails = (await response.json()) as { text: string | null }[];
  // The address of the operation with its token, up to the next white space or closing bracket.
  const links = mails.map(
    ({ text }) => /https?:\/\/\S+\/v1\/users\/verify-email\?token=[^\s>)]+/.exec(text ?? '')?.[0],
  );
  return links.find((link) => link !== undefined);
}
