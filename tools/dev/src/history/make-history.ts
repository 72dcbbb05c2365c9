import { knownStatuses } from '@casewatch/contracts';
import {
  type Addresses,
  createPartner,
  newReceipt,
  type Partner,
  setReceipt,
  tell,
  until,
} from '@casewatch/driver';
import type { DevFile } from '../dev-files.ts';
import { type Say, sparingly } from './progress.ts';
import { type CaseDates, spreadHistory } from './spread.ts';

const casesPerUser = 5;
const usersAtOnce = 4;
const dayMs = 24 * 60 * 60 * 1000;
/** Events and deliveries are kept for 30 days. */
const historyMs = 29 * dayMs;
/** Until all cases were checked. */
const slowly = { timeoutMs: 240_000, intervalMs: 1_000 };
/** Messages and deliveries follow a change within seconds, except those that are tried again later. */
const quietMs = 15_000;
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const firstNames = ['Ana', 'Luis', 'Mei', 'Amara', 'João', 'Sofía', 'Omar', 'Priya', 'Elena', 'Kofi'];
const lastNames = ['Silva', 'Moreno', 'Chen', 'Okafor'];
const languages = ['en', 'es', 'en', 'pt'] as const;
/** The WhatsApp stand-in acts by the last four digits: refused, hangs, delivered late, read, unreachable (tools/sandbox). */
const phoneEnds = ['0143', '0001', '0155', '0007', '0008'];
const people = Array.from({ length: 40 }, (_, index) => personOf(index));
const kinds = [
  { form: 'I-130', description: 'Petition for the spouse' },
  { form: 'I-485', description: 'Green card' },
  { form: 'I-765', description: 'Work permit' },
  { form: 'N-400', description: 'Citizenship' },
  { form: 'I-131', description: 'Travel document' },
] as const;
/** One status of each category, in turn. */
const laterStatuses: readonly string[] = [
  ...new Map(knownStatuses().map(({ category, en }) => [category, en])).values(),
].filter((title) => title !== 'Case Was Received');

/** A service that was just restarted, or a limit: the next try comes. */
const waiting = { timeoutMs: 60_000 };
type Case = { readonly receipt: string; readonly form: string; readonly dates: CaseDates };

/**
 * 40 users with 200 cases of all categories, of which most changed once in the last month; some addresses are not verified, mails
 * to some came back, some phones refuse messages, and one key was revoked. An endpoint fails since today.
 */
export async function makeHistory(dev: DevFile, say: Say): Promise<void> {
  const partner = createPartner(dev, dev.partner, waiting);
  const began = new Date();
  const waitingPeople = [...people.entries()];
  const cases: Case[] = [];
  const addresses: string[] = [];
  const added = sparingly(say);
  const work = async () => {
    for (let next = waitingPeople.shift(); next; next = waitingPeople.shift()) {
      const one = await addUser({ dev, partner, began }, next);
      cases.push(...one.cases);
      addresses.push(one.email);
      added(`${addresses.length} of ${people.length} users added`);
    }
  };
  await Promise.all(Array.from({ length: usersAtOnce }, work));
  say(`${people.length} users, ${cases.length} cases`);
  await untilCases(partner, { count: cases.length, updates: 1, say });
  await suppressSome(dev, addresses);
  await addFormerKey(partner);
  say('Every case has its first status; most of them change now.');
  const changing = cases.filter((_, index) => index % casesPerUser !== 0);
  await changeAll(dev, changing);
  await untilCases(partner, { count: changing.length, updates: 2, say });
  say('Waiting for the last messages and deliveries.');
  await untilQuiet(partner);
  await spreadHistory(dev, began, new Map(cases.map(({ receipt, dates }) => [receipt, dates])));
  say('It happened over the last month. Some cases change today.');
  await addFailingEndpoint(dev, partner);
  const today = cases.filter((_, index) => index % (3 * casesPerUser) === 0);
  await changeAll(
    dev,
    today.map((one) => ({ ...one, dates: { ...one.dates, changed: new Date() } })),
  );
  await untilCases(partner, { count: changing.length + today.length, updates: 2, say });
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

/** A key of another system, which ended: the guide (docs/partners/keys.md) makes a second one, and a partner has two at most. */
export async function addFormerKey(partner: Partner): Promise<void> {
  const path = '/v1/client/keys';
  const { body } = await partner.call<{ key: { id: number } }>('POST', path, { name: 'Former case system' });
  await partner.call('DELETE', `${path}/${body.key.id}`);
}

type At = { dev: DevFile; partner: Partner; began: Date };

/** Every sixth address stays without verification. */
async function addUser(
  { dev, partner, began }: At,
  [index, person]: [number, (typeof people)[number]],
): Promise<{ email: string; cases: Case[] }> {
  const { id, email } = index % 6 === 5 ? await partner.newUser(person) : await partner.verifiedUser(person);
  const cases: Case[] = [];
  for (let nth = 0; nth < casesPerUser; nth++) {
    const place = index * casesPerUser + nth;
    const { form, description } = kinds[place % kinds.length] ?? kinds[0];
    const receipt = newReceipt();
    const { user, created, changed } = datesOf(began, index, place);
    const dates = { user, created, changed: nth === 0 ? created : changed };
    await setStatus(dev, { receipt, form, title: 'Case Was Received', at: created });
    await partner.newCase(id, receipt, { description, first_check: 'deferred' });
    cases.push({ receipt, form, dates });
  }
  return { email, cases };
}

/** Dates of case `place` of user `user` in the days before `now`. Multiples of the golden ratio lie evenly and in no order. */
function datesOf(now: Date, user: number, place: number): CaseDates {
  const evenly = (index: number) => (index * 0.618_033_988_75) % 1;
  const began = evenly(user) * 0.8;
  const created = began + (1 - began) * 0.6 * evenly(place);
  const changed = created + (1 - created) * evenly(place + 0.5);
  const dateAt = (moment: number) => new Date(now.getTime() - (1 - moment) * historyMs);
  return { user: dateAt(began), created: dateAt(created), changed: dateAt(changed) };
}

function personOf(index: number) {
  const [first = '', last = ''] = [firstNames[index % 10], lastNames[Math.floor(index / 10)]];
  return {
    name: `${first} ${last}`,
    email: `${first}.${last}.${Date.now().toString(36)}@example.com`
      .normalize('NFD')
      .replaceAll(/[^\w.@-]/g, ''),
    phone: `+1202${200 + index}${phoneEnds[index % phoneEnds.length]}`,
    preferred_language: languages[index % languages.length] ?? 'en',
    notify_by_email: index % 9 !== 8,
    notify_by_whatsapp: index % 3 === 0,
  };
}

/** What the stand-in of USCIS says about a receipt, with the date of the change. */
async function setStatus(
  addresses: Addresses,
  { receipt, form, title, at: changed }: { receipt: string; form: string; title: string; at: Date },
): Promise<void> {
  const [year = '', month = '', date = ''] = changed.toISOString().slice(0, 10).split('-');
  const time = `${month}-${date}-${year} ${changed.toISOString().slice(11, 19)}`;
  const text = `On ${day.format(changed)}, we updated your Form ${form}, Receipt Number ${receipt}: ${title}. If you move, go to www.uscis.gov/addresschange to give us your new mailing address.`;
  await setReceipt(addresses, receipt, {
    form_type: form,
    submitted_date: time,
    modified_date: time,
    text_en: title,
    desc_en: text,
    text_es: title,
    desc_es: text,
    history: [],
  });
}

type Listed = { cases: { update_count: number }[]; next_cursor: string | null };

type Expected = { count: number; updates: number; say: Say };

/** Until at least `count` cases have at least `updates` statuses. */
async function untilCases(partner: Partner, { count, updates, say }: Expected) {
  const what = `${count} cases with ${updates} statuses`;
  const seen = sparingly(say);
  const isDone = async () => {
    const found = await countCases(partner, updates);
    if (found < count) seen(`${found} of ${count} cases have ${updates === 1 ? 'a status' : 'a change'}`);
    return found >= count;
  };
  await until(isDone, { ...slowly, what });
}

/** Until nothing more happens that the partner could count. */
async function untilQuiet(partner: Partner): Promise<void> {
  let last = '';
  let changedAt = Date.now();
  const isQuiet = async () => {
    const counts = JSON.stringify((await partner.call('GET', '/v1/client/statistics')).body);
    if (counts !== last) [last, changedAt] = [counts, Date.now()];
    return Date.now() - changedAt >= quietMs;
  };
  await until(isQuiet, { ...slowly, what: 'the end of messages and deliveries' });
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
