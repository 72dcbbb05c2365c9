import { createPartner, type DevFile, type Partner, tell, until } from '@casewatch/driver';
import { caseOf, laterStatuses, people } from './invented.ts';
import { setStatus } from './set-status.ts';

const casesPerUser = 5;
const usersAtOnce = 4;
/** End of a key that the console points out. */
const endingInMs = 9 * 24 * 60 * 60 * 1000;

/** A service that was just restarted, or a limit: the next try comes. */
const waiting = { timeoutMs: 60_000 };
/** Until all cases were checked. */
const slowly = { timeoutMs: 240_000, intervalMs: 1_000 };

type Case = { readonly receipt: string; readonly form: string };

/**
 * 40 users with 200 cases of all categories, of which most change once; some addresses are not verified, mails to some came
 * back, some phones refuse messages, one endpoint fails, and one key ends soon.
 */
export async function makeHistory(dev: DevFile, say: (line: string) => void): Promise<void> {
  const partner = createPartner(dev, dev.partner, waiting);
  await addFailingEndpoint(dev, partner);
  const waitingPeople = [...people.entries()];
  const cases: Case[] = [];
  const addresses: string[] = [];
  const work = async () => {
    for (let next = waitingPeople.shift(); next; next = waitingPeople.shift()) {
      const added = await addUser(dev, partner, next);
      cases.push(...added.cases);
      addresses.push(added.email);
    }
  };
  await Promise.all(Array.from({ length: usersAtOnce }, work));
  say(`${people.length} users, ${cases.length} cases`);
  await untilCases(partner, { count: cases.length, updates: 1 });
  await suppressSome(dev, addresses);
  await addEndingKey(partner);
  say('Every case has its first status; most of them change now.');
  const changing = cases.filter((_, index) => index % casesPerUser !== 0);
  for (const [index, { receipt, form }] of changing.entries())
    await setStatus(dev, {
      receipt,
      form,
      title: laterStatuses[index % laterStatuses.length] ?? 'Case Was Approved',
    });
  await untilCases(partner, { count: changing.length, updates: 2 });
  say('npm run admin -- console link --partner 1');
}

async function untilCases(partner: Partner, { count, updates }: { count: number; updates: number }) {
  const what = `${count} cases with ${updates} statuses`;
  await until(async () => (await countCases(partner, updates)) >= count, { ...slowly, what });
}

/** The mail provider reports mails that came back, and a person who called a mail spam: their next messages are not sent. */
async function suppressSome({ mail_url, gateway_url }: DevFile, addresses: readonly string[]): Promise<void> {
  const url = `${gateway_url}/v1/callbacks/email/resend`;
  for (const [index, to] of addresses.slice(0, 3).entries()) {
    const event = index === 0 ? 'complaint' : 'bounce';
    await tell(`${mail_url}/sandbox/reports`, { provider: 'resend', event, to, url }, 'POST');
  }
}

async function addFailingEndpoint({ receiver_url }: DevFile, partner: Partner): Promise<void> {
  const url = `${receiver_url}/hooks/lisbon`;
  await tell(`${receiver_url}/sandbox/hooks/lisbon`, { status: 503 });
  await partner.call('POST', '/v1/webhooks', {
    url,
    description: 'Case system of the Lisbon office',
    events: ['case.status_updated', 'notification.failed'],
  });
}

async function addEndingKey(partner: Partner): Promise<void> {
  const expires_at = new Date(Date.now() + endingInMs).toISOString();
  await partner.call('POST', '/v1/client/keys', { name: 'Former case system', expires_at });
}

/** Every sixth address stays without verification. */
async function addUser(
  dev: DevFile,
  partner: Partner,
  [index, person]: [number, (typeof people)[number]],
): Promise<{ email: string; cases: Case[] }> {
  const { id, email } = index % 6 === 5 ? await partner.newUser(person) : await partner.verifiedUser(person);
  const cases: Case[] = [];
  for (let nth = 0; nth < casesPerUser; nth++) {
    const { receipt, form, description } = caseOf(index * casesPerUser + nth);
    await setStatus(dev, { receipt, form, title: 'Case Was Received' });
    await partner.newCase(id, receipt, { description, first_check: 'deferred' });
    cases.push({ receipt, form });
  }
  return { email, cases };
}

/** Number of cases with at least so many status updates. */
async function countCases(partner: Partner, updates: number): Promise<number> {
  let count = 0;
  let cursor = '';
  for (;;) {
    const { status, body } = await partner.call<Listed>('GET', `/v1/client/cases?limit=100${cursor}`);
    // A limit or a service that is away: the next try comes.
    if (status !== 200) return 0;
    count += body.cases.filter(({ update_count }) => update_count >= updates).length;
    if (body.next_cursor === null) return count;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

type Listed = { cases: { update_count: number }[]; next_cursor: string | null };
