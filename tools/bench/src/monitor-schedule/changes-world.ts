import type { CaseReference, StatusUpdated } from '@casewatch/contracts';
import { startSandbox } from '@casewatch/sandbox';
import { startMongo, startNats, startSibling, waitFor } from '@casewatch/testing';
import { end, type Running } from '../processes.ts';
import { judge, type LedgerRow, versionOf } from './judge-changes.ts';
import { startMonitor } from './processes.ts';
import { receiptAt } from './receipts.ts';
import type { ChangeSettings } from './settings.ts';

const patience = { timeoutMs: 300_000, intervalMs: 250 };
/** Six hours, the interval of a new case, are 2.2 s at this scale. */
const scale = '0.0001';

/** Real servers, the government's stand-in, and monitors in processes of their own that can be killed. */
export async function startChanges({ receipts, replicas, rate }: ChangeSettings) {
  // Gaps are not what this is about (`monitor sending` is): the stand-in arrests no spikes here.
  const limits = { rate_per_second: 100_000, daily_quota: 1_000_000_000, hours: null };
  const [mongo, nats, sandbox] = await Promise.all([
    startMongo({ own: true }),
    startNats(),
    startSandbox({ uscisLimits: limits }),
  ]);
  const cases = await startSibling('cases', mongo, nats);
  const told: StatusUpdated[] = [];
  const toldOf = new Map<string, Set<number>>();
  const ignore = async () => {};
  cases.consume({
    'status.updated': async (data) => {
      told.push(data);
      heard(data);
    },
    'status.monitoring_changed': ignore,
    'status.check_overdue': ignore,
    'notification.updated': ignore,
    'user.created': ignore,
    'user.updated': ignore,
    'user.email_verified': ignore,
    'user.deleted': ignore,
  });
  const monitors: Running[] = [];
  const expected = new Map<string, number>();
  const watching = new Map<string, CaseReference[]>();

  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    PORT: '0',
    ...nats.user('monitor'),
    MONGODB_URL: mongo.url('monitor'),
    USCIS_TOKEN_URL: `${sandbox.uscis_url}/oauth/accesstoken`,
    USCIS_API_URL: `${sandbox.uscis_url}/case-status`,
    USCIS_CLIENT_ID: sandbox.uscis_client_id,
    USCIS_CLIENT_SECRET: sandbox.uscis_client_secret,
    USCIS_RATE_PER_SECOND: String(rate),
    USCIS_DAILY_BUDGET: '1000000000',
    MONITOR_AHEAD_HOURS: '24',
    MONITOR_INTERVAL_SCALE: scale,
  };

  function heard({ case: { id, receipt_number }, status_update }: StatusUpdated): void {
    const key = `${receipt_number} ${versionOf(status_update.status_description)}`;
    toldOf.set(key, (toldOf.get(key) ?? new Set()).add(id));
  }

  async function serve(receipt: string, version: number): Promise<void> {
    const body = { form_type: 'I-130', text_en: 'Case Was Received', desc_en: `We wrote change ${version}.` };
    const answer = await fetch(`${sandbox.uscis_url}/sandbox/receipts/${receipt}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the stand-in answered ${answer.status}`);
    expected.set(receipt, version);
  }

  const ledger = async () =>
    (await (await fetch(`${sandbox.uscis_url}/sandbox/requests`)).json()) as LedgerRow[];

  function isSettled(receipt: string): boolean {
    const knowing = toldOf.get(`${receipt} ${expected.get(receipt)}`);
    return knowing?.size === watching.get(receipt)?.length;
  }

  return {
    change: serve,
    updates: () => told.length,
    settledReceipts: () => [...watching.keys()].filter(isSettled),

    /** Every third receipt is watched by two cases. */
    async watchAll(): Promise<void> {
      for (let i = 0; i < replicas; i++) monitors.push(await startMonitor(env));
      let id = 0;
      for (let i = 0; i < receipts; i++) {
        const receipt = receiptAt(i);
        await serve(receipt, 0);
        const references = Array.from({ length: i % 3 === 0 ? 2 : 1 }, () => referenceOf(++id, receipt));
        watching.set(receipt, references);
        for (const reference of references) {
          const state = { case: reference, watched: true, active: true, version: 1, baseline: null };
          await cases.publish('case.created', { ...state, first_check: 'deferred' });
        }
      }
      const isKnown = () => [...watching.keys()].every(isSettled);
      await waitFor(isKnown, { ...patience, what: 'the first states' });
    },

    /** Kills the sender or one of those who stand by, and starts another. */
    async killOne(choice: number): Promise<void> {
      const [killed] = monitors.splice(Math.floor(choice * monitors.length), 1);
      if (killed) await end(killed, 'SIGKILL');
      monitors.push(await startMonitor(env));
    },

    async oneMoreRound(): Promise<void> {
      const before = (await ledger()).length;
      await waitFor(async () => (await ledger()).length >= before + 2 * receipts, patience);
    },

    /** Whether all holds, by the stand-in's ledger and the stream alone. */
    async verdict(say: (line: string) => void, ran: { made: number; kills: number }): Promise<boolean> {
      return judge({ told, watching, rows: await ledger(), ...ran }, say);
    },

    async stop(): Promise<void> {
      await Promise.all(monitors.map((monitor) => end(monitor)));
      await cases.stop();
      await Promise.all([sandbox.stop(), nats.stop()]);
      await mongo.stop();
    },
  };
}

function referenceOf(id: number, receipt_number: string): CaseReference {
  return {
    id,
    user_case_id: `FLOW${String(id).padStart(7, '0')}`,
    receipt_number,
    user_id: 1,
    partner_id: 1,
  };
}
