import { setTimeout as delay } from 'node:timers/promises';
import { createPartner, type DevFile, expectStatus, tell } from '@casewatch/driver';
import type { Say } from '../infrastructure.ts';
import { CliError } from '../problem.ts';
import { DEMO_USERS } from '../seed/demo-data.ts';
import { arrivalsOf, type DemoCase } from './arrivals.ts';

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
  say(`The government moves ${demo.receipt} on${title === undefined ? '' : `: “${title}”`}`);

  const started = Date.now();
  const waiting = new Set(arrivals);
  while (waiting.size > 0 && Date.now() - started < TIMEOUT_MS) {
    for (const arrival of waiting) {
      // A service may be restarting; only the deadline ends the wait.
      const arrived = await arrival.look().catch(() => undefined);
      if (arrived === undefined) continue;
      waiting.delete(arrival);
      say(`${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s  ${arrival.name.padEnd(9)} ${arrived}`);
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
    throw new CliError(`The demo case ${receipt} is not there any more. npm start makes it again.`);
  }
  return { id: demoCase.id, receipt, email, phone };
}

async function advance(dev: DevFile, receipt: string): Promise<string | undefined> {
  const url = `${dev.uscis_url}/sandbox/receipts/${receipt}/advance`;
  return (await tell<{ text_en?: string }>(url, undefined, 'POST')).text_en;
}
