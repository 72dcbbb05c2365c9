import { createPartner, type DevFile, type Partner, tell, until } from '@casewatch/driver';
import { caseOf, laterStatuses, people } from './invented.ts';
import { setStatus } from './set-status.ts';

const casesPerUser = 5;
const usersAtOnce = 4;

/** A service that was just restarted, or a limit: the next try comes. */
const waiting = { timeoutMs: 60_000 };

type Case = { readonly receipt: string; readonly form: string };

/**
 * 40 users with 200 cases of all categories, of which most change once; some addresses are not verified, some phones refuse
 * messages, and one endpoint fails.
 */
export async function makeHistory(dev: DevFile, say: (line: string) => void): Promise<void> {
  const partner = createPartner(dev, dev.partner, waiting);
  await addFailingEndpoint(dev, partner);
  const waitingPeople = [...people.entries()];
  const cases: Case[] = [];
  const work = async () => {
    for (let next = waitingPeople.shift(); next; next = waitingPeople.shift())
      cases.push(...(await addUser(dev, partner, next)));
  };
  await Promise.all(Array.from({ length: usersAtOnce }, work));
  say(`${people.length} users, ${cases.length} cases`);
  await until(async () => await hasFirstStatuses(partner), {
    ...waiting,
    intervalMs: 1_000,
    what: 'the statuses',
  });
  say('Every case has its first status; most of them change now.');
  for (const [index, { receipt, form }] of cases.entries()) {
    const title = laterStatuses[index % laterStatuses.length];
    if (title !== undefined && index % casesPerUser !== 0) await setStatus(dev, { receipt, form, title });
  }
  say('The changes arrive within a minute: npm run admin -- console link --partner 1');
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

/** Every sixth address stays without verification. */
async function addUser(
  dev: DevFile,
  partner: Partner,
  [index, person]: [number, (typeof people)[number]],
): Promise<Case[]> {
  const { id } = index % 6 === 5 ? await partner.newUser(person) : await partner.verifiedUser(person);
  const cases: Case[] = [];
  for (let nth = 0; nth < casesPerUser; nth++) {
    const { receipt, form, description } = caseOf(index * casesPerUser + nth);
    await setStatus(dev, { receipt, form, title: 'Case Was Received' });
    await partner.newCase(id, receipt, { description, first_check: 'deferred' });
    cases.push({ receipt, form });
  }
  return cases;
}

/** Cases are listed newest first; the last page has the oldest. */
async function hasFirstStatuses(partner: Partner): Promise<boolean> {
  let cursor = '';
  for (;;) {
    const { body } = await partner.call<Listed>('GET', `/v1/client/cases?limit=100${cursor}`);
    if (body.cases.some(({ update_count }) => update_count === 0)) return false;
    if (body.next_cursor === null) return true;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

type Listed = { cases: { update_count: number }[]; next_cursor: string | null };
