import { createPartner, type Partner, tell } from '@casewatch/driver';
import type { DevFile } from '../dev-files.ts';
import { createCalendar, momentsOf } from './ages.ts';
import { caseOf, laterStatuses, people } from './invented.ts';
import { setStatus } from './set-status.ts';
import { type CaseDates, spreadHistory } from './spread.ts';
import { untilCases, untilQuiet } from './waits.ts';

const casesPerUser = 5;
const usersAtOnce = 4;
/** End of a key that the console points out. */
const endingInMs = 9 * 24 * 60 * 60 * 1000;

/** A service that was just restarted, or a limit: the next try comes. */
const waiting = { timeoutMs: 60_000 };
type Case = { readonly receipt: string; readonly form: string; readonly dates: CaseDates };

/**
 * 40 users with 200 cases of all categories, of which most changed once in the last month; some addresses are not verified, mails
 * to some came back, some phones refuse messages, and one key ends soon. An endpoint fails since today.
 */
export async function makeHistory(dev: DevFile, say: (line: string) => void): Promise<void> {
  const partner = createPartner(dev, dev.partner, waiting);
  const began = new Date();
  const dateOf = createCalendar(began);
  const waitingPeople = [...people.entries()];
  const cases: Case[] = [];
  const addresses: string[] = [];
  const work = async () => {
    for (let next = waitingPeople.shift(); next; next = waitingPeople.shift()) {
      const added = await addUser({ dev, partner, dateOf }, next);
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
  await changeAll(dev, changing);
  await untilCases(partner, { count: changing.length, updates: 2 });
  await untilQuiet(partner);
  await spreadHistory(dev, began, new Map(cases.map(({ receipt, dates }) => [receipt, dates])));
  say('It happened over the last month. Some cases change today.');
  await addFailingEndpoint(dev, partner);
  const today = cases.filter((_, index) => index % (3 * casesPerUser) === 0);
  await changeAll(
    dev,
    today.map((one) => ({ ...one, dates: { ...one.dates, changed: new Date() } })),
  );
  await untilCases(partner, { count: changing.length + today.length, updates: 2 });
  say('npm run admin -- console link --partner 1');
}

async function changeAll(dev: DevFile, cases: readonly Case[]): Promise<void> {
  for (const [index, { receipt, form, dates }] of cases.entries()) {
    const title = laterStatuses[index % laterStatuses.length] ?? 'Case Was Approved';
    await setStatus(dev, { receipt, form, title, at: dates.changed });
  }
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

type At = { dev: DevFile; partner: Partner; dateOf: (moment: number) => Date };

/** Every sixth address stays without verification. */
async function addUser(
  { dev, partner, dateOf }: At,
  [index, person]: [number, (typeof people)[number]],
): Promise<{ email: string; cases: Case[] }> {
  const { id, email } = index % 6 === 5 ? await partner.newUser(person) : await partner.verifiedUser(person);
  const cases: Case[] = [];
  for (let nth = 0; nth < casesPerUser; nth++) {
    const place = index * casesPerUser + nth;
    const { receipt, form, description } = caseOf(place);
    const moments = momentsOf(index, place);
    const dates = {
      user: dateOf(moments.user),
      created: dateOf(moments.created),
      changed: dateOf(nth === 0 ? moments.created : moments.changed),
    };
    await setStatus(dev, { receipt, form, title: 'Case Was Received', at: dates.created });
    await partner.newCase(id, receipt, { description, first_check: 'deferred' });
    cases.push({ receipt, form, dates });
  }
  return { email, cases };
}
