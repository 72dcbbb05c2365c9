import { readJson, tell } from '@casewatch/driver';
import { end, pathOf, startProcess } from '../kit/processes.ts';
import { startServers } from '../kit/servers.ts';
import { receiptAt } from '../monitor/cases.ts';
import { monitorEnv, uscisKeys } from '../monitor/environment.ts';
import { makeTemplate, openStore } from '../monitor/store.ts';
import { createReplicas } from './replicas.ts';

export type LedgerRow = { time: string; receipt: string; status: number; monotonic_ms: number };

const templateReceipt = 'EAC9999103403';
const batch = 50;
/** Requests before the measurement, so that the stand-in's code is compiled. */
const warmUps = 500;
const served = {
  form_type: 'I-130',
  submitted_date: '09-05-2023 14:28:12',
  modified_date: '10-05-2023 08:00:00',
  text_en: 'Case Was Received',
  desc_en: 'We received your form.',
};

/** Real servers, the sandbox in a process of its own, and a store with more receipts due than the rate allows. */
export async function startWorld(rate: number, receiptCount: number, settings: Record<string, string> = {}) {
  const [servers, sandbox] = await Promise.all([startServers(), startStandIn(rate)]);
  const { uscis_url: url } = JSON.parse(sandbox.readyLine) as { uscis_url: string };
  const store = await openStore(servers.mongo.url('monitor'));
  const env = monitorEnv({ servers, uscisUrl: url, rate, settings });
  const replicas = createReplicas(env);
  // First the template, then the receipts: a busy stand-in would see the template's requests too close together.
  await store.fill(receiptCount, await makeTemplate(store, servers, env, templateReceipt));
  await store.makeDue();
  const receipts = Array.from({ length: receiptCount }, (_, i) => receiptAt(i));
  for (let start = 0; start < receiptCount; start += batch) {
    const setReceipt = (receipt: string) => tell(`${url}/sandbox/receipts/${receipt}`, served);
    await Promise.all(receipts.slice(start, start + batch).map(setReceipt));
  }
  for (const receipt of receipts.slice(0, warmUps))
    await (await fetch(`${url}/case-status/${receipt}`)).arrayBuffer();

  return {
    ledger: () => readJson<LedgerRow[]>(`${url}/sandbox/requests`),
    replicas,
    async stop(): Promise<void> {
      await replicas.stop();
      await store.close();
      await end(sandbox);
      await servers.stop();
    },
  };
}

/** A process of its own, so that the measured processes do not delay its clock. */
function startStandIn(rate: number) {
  const ports = ['MAIL_PORT', 'SMTP_PORT', 'USCIS_PORT', 'TWILIO_PORT', 'RECEIVER_PORT'];
  const env = {
    ...uscisKeys,
    ...Object.fromEntries(ports.map((name) => [name, '0'])),
    SANDBOX_RATE_PER_SECOND: String(rate),
    SANDBOX_DAILY_QUOTA: '100000000',
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
    TWILIO_AUTH_TOKEN: 'a-token',
  };
  return startProcess(pathOf('tools/sandbox/src/main.ts'), env, { readyText: '"uscis_url"' });
}
