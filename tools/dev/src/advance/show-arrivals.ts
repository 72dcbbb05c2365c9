import { setTimeout as delay } from 'node:timers/promises';
import {
  createPartner,
  type DevFile,
  expectStatus,
  hooksOf,
  mailsTo,
  messagesTo,
  tell,
} from '@casewatch/driver';
import { CliError } from '../cli-error.ts';
import type { Say } from '../infrastructure.ts';
import { DEMO_HOOK, DEMO_USERS } from '../seed/demo-data.ts';

/** In development the longest interval between two checks is 30 s. */
const TIMEOUT_MS = 40_000;
const POLL_MS = 200;

/**
 * Gives the first demo case its next status, and reports the update, the mail, the WhatsApp message and the webhook.
 * @returns whether all four arrived within 40 s
 */
export async function showArrivals(dev: DevFile, say: Say): Promise<boolean> {
  const demo = await findDemoCase(dev);
  const arrivals = await arrivalsOf(dev, demo);
  const title = await advance(dev, demo.receipt);
  say(`New status of ${demo.receipt}: ${title}`);

  const started = Date.now();
  const waiting = new Set(arrivals);
  while (waiting.size > 0 && Date.now() - started < TIMEOUT_MS) {
    for (const arrival of waiting) {
      // A service may be restarting; only the deadline ends the wait.
      const arrived = await arrival.look().catch(() => undefined);
      if (arrived === undefined) continue;
      waiting.delete(arrival);
      say(
        `${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s  ${arrival.name.padEnd(9)} ${arrived}`,
      );
    }
    await delay(POLL_MS);
  }
  for (const { name, where } of waiting) say(`       ${name.padEnd(9)} nothing within 40 s; see ${where}`);
  return waiting.size === 0;
}

async function findDemoCase(dev: DevFile): Promise<DemoCase> {
  const { email, phone, receipts } = DEMO_USERS[0];
  const [receipt] = receipts;
  const { call } = createPartner(dev, dev.partner);
  const answer = await call<{ cases: { id: number; active: boolean }[] }>(
    'GET',
    `/v1/client/cases?receipt_number=${receipt}`,
  );
  const demoCase = expectStatus('find the demo case', answer, 200).cases.find(({ active }) => active);
  if (demoCase === undefined) {
    throw new CliError(`The demo case ${receipt} does not exist. npm start creates it again.`);
  }
  return { id: demoCase.id, receipt, email, phone };
}

async function advance(dev: DevFile, receipt: string): Promise<string> {
  const url = `${dev.uscis_url}/sandbox/receipts/${receipt}/advance`;
  return (await tell<{ text_en: string }>(url, undefined, 'POST')).text_en;
}

interface DemoCase {
  id: number;
  receipt: string;
  email: string;
  phone: string;
}

interface Arrival {
  name: string;
  /** Address to look at when nothing arrives. */
  where: string;
  /** The newest arrival since the call of arrivalsOf. */
  look(): Promise<string | undefined>;
}

async function arrivalsOf(dev: DevFile, demo: DemoCase): Promise<Arrival[]> {
  const { call } = createPartner(dev, dev.partner);
  const updates = async (): Promise<string[]> => {
    type Body = { case: { update_count: number; latest_update: { status_code: string } | null } };
    const answer = await call<Body>('GET', `/v1/client/cases/${demo.id}`);
    const { update_count, latest_update } = expectStatus('read the demo case', answer, 200).case;
    const newest = `update_count ${update_count}: ${latest_update?.status_code}`;
    return Array.from({ length: update_count }, () => newest);
  };
  const mails = async () => (await mailsTo(dev, demo.email)).map(({ subject }) => subject);
  const messages = async () =>
    (await messagesTo(dev, demo.phone)).map(() => `message to the demo user's phone`);
  const hooks = async () =>
    (await hooksOf(dev, DEMO_HOOK)).flatMap(({ body, signature_ok }) => {
      const event = JSON.parse(body) as { type: string; data: { case?: { id: number } } };
      const ours = event.type === 'case.status_updated' && event.data.case?.id === demo.id;
      return ours ? [`${event.type}, signature ${signature_ok ? 'verified' : 'NOT verified'}`] : [];
    });
  return Promise.all([
    since('case', `${dev.gateway_url}/v1/client/cases/${demo.id}`, updates),
    since('mail', dev.mail_url, mails),
    since('WhatsApp', dev.twilio_url, messages),
    since('webhook', dev.receiver_url, hooks),
  ]);
}

async function since(name: string, where: string, read: () => Promise<string[]>): Promise<Arrival> {
  const before = (await read()).length;
  return { name, where, look: async () => (await read()).slice(before).at(-1) };
}
