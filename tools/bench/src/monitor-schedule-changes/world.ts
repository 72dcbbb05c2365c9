import type { CaseReference, StatusUpdated } from '@casewatch/contracts';
import { readJson, tell } from '@casewatch/driver';
import { startSandbox } from '@casewatch/sandbox';
import { startSibling, waitFor } from '@casewatch/testing';
import { end, type Running } from '../kit/processes.ts';
import { startServers } from '../kit/servers.ts';
import { receiptAt } from '../monitor/cases.ts';
import { monitorEnv, startMonitor } from '../monitor/environment.ts';
import { judge, type LedgerRow, versionOf } from './judge.ts';

const patience = { timeoutMs: 300_000, intervalMs: 250 };
/** Six hours, the interval of a new case, are 2.2 s at this scale. */
const scale = '0.0001';

/** Other words alone would be held: many receipts change here (docs/adr/0042). */
const titles = ['Case Was Received', 'Case Was Approved'] as const;

type Options = { receipts: number; replicas: number; rate: number };

export async function startChanges({ receipts, replicas, rate }: Options) {
  // `monitor sending` checks gaps: this stand-in refuses no request.
  const uscisLimits = { rate_per_second: 100_000, daily_quota: 1_000_000_000, hours: null };
  const [servers, sandbox] = await Promise.all([startServers(), startSandbox({ uscisLimits })]);
  const cases = await startSibling('cases', servers.nats);
  const updates: StatusUpdated[] = [];
  /** The cases that have an update, by receipt and version. */
  const informed = new Map<string, Set<number>>();
  /** The version that the government serves, and the cases that watch, by receipt. */
  const versions = new Map<string, number>();
  const turns = new Map<string, number>();
  const watching = new Map<string, CaseReference[]>();
  const monitors: Running[] = [];

  await cases.consume({
    'status.updated': async (data) => {
      updates.push(data);
      const key = `${data.case.receipt_number} ${versionOf(data)}`;
      informed.set(key, (informed.get(key) ?? new Set()).add(data.case.id));
    },
  });

  const env = monitorEnv({
    servers,
    uscisUrl: sandbox.uscis_url,
    rate,
    settings: {
      LOG_LEVEL: 'error',
      USCIS_CLIENT_ID: sandbox.uscis_client_id,
      USCIS_CLIENT_SECRET: sandbox.uscis_client_secret,
      MONITOR_INTERVAL_SCALE: scale,
    },
  });

  async function change(receipt: string, version: number): Promise<void> {
    const turn = turns.get(receipt) ?? 0;
    turns.set(receipt, turn + 1);
    const state = {
      form_type: 'I-130',
      text_en: titles[turn % titles.length],
      desc_en: `We wrote change ${version}.`,
    };
    await tell(`${sandbox.uscis_url}/sandbox/receipts/${receipt}`, state);
    versions.set(receipt, version);
  }

  const ledger = () => readJson<LedgerRow[]>(`${sandbox.uscis_url}/sandbox/requests`);

  function isSettled(receipt: string): boolean {
    return informed.get(`${receipt} ${versions.get(receipt)}`)?.size === watching.get(receipt)?.length;
  }

  return {
    change,
    updates: () => updates.length,
    settledReceipts: () => [...watching.keys()].filter(isSettled),

    /** Every third receipt is watched by two cases. */
    async watchAll(): Promise<void> {
      for (let i = 0; i < replicas; i++) monitors.push(await startMonitor(env));
      let id = 0;
      for (let i = 0; i < receipts; i++) {
        const receipt = receiptAt(i);
        await change(receipt, 0);
        const references = Array.from({ length: i % 3 === 0 ? 2 : 1 }, () => referenceOf(++id, receipt));
        watching.set(receipt, references);
        for (const reference of references) {
          const state = { case: reference, watched: true, active: true, version: 1, baseline: null };
          await cases.publish('case.created', { ...state, first_check: 'deferred' });
        }
      }
      const allSettled = () => [...watching.keys()].every(isSettled);
      await waitFor(allSettled, { ...patience, what: 'the first states' });
    },

    /** Kills one monitor, whether or not it holds the lease, and starts another. `choice` is from 0 to 1. */
    async killOne(choice: number): Promise<void> {
      const [killed] = monitors.splice(Math.floor(choice * monitors.length), 1);
      if (killed) await end(killed, 'SIGKILL');
      monitors.push(await startMonitor(env));
    },

    async oneMoreRound(): Promise<void> {
      const before = (await ledger()).length;
      await waitFor(async () => (await ledger()).length >= before + 2 * receipts, patience);
    },

    async judge(run: { changes: number; kills: number }): Promise<boolean> {
      return judge({ updates, watching, rows: await ledger(), ...run });
    },

    async stop(): Promise<void> {
      await Promise.all(monitors.map((monitor) => end(monitor)));
      await cases.stop();
      await sandbox.stop();
      await servers.stop();
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
