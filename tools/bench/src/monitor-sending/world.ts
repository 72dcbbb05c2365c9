import { startMongo, startNats, startSibling, waitFor } from '@casewatch/testing';
import { receiptAt } from '../monitor-schedule/receipts.ts';
import { openStore } from '../monitor-schedule/stored-receipts.ts';
import { createReplicas } from './replicas.ts';
import { startStandIn } from './stand-in.ts';

const first = 'EAC9999103403';
const patienceMs = 60_000;

/** Real servers, the stand-in apart, and a store in which more is due than can be asked. */
export async function startWorld(rate: number, receipts: number, settings: Record<string, string> = {}) {
  const [mongo, nats, standIn] = await Promise.all([
    startMongo({ own: true }),
    startNats(),
    startStandIn(rate),
  ]);
  const store = await openStore(mongo.url('monitor'));
  const replicas = createReplicas({
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    PORT: '0',
    ...nats.user('monitor'),
    MONGODB_URL: mongo.url('monitor'),
    USCIS_TOKEN_URL: `${standIn.url}/oauth/accesstoken`,
    USCIS_API_URL: `${standIn.url}/case-status`,
    USCIS_CLIENT_ID: standIn.clientId,
    USCIS_CLIENT_SECRET: standIn.clientSecret,
    USCIS_RATE_PER_SECOND: String(rate),
    USCIS_DAILY_BUDGET: '10000000',
    MONITOR_AHEAD_HOURS: '24',
    ...settings,
  });

  /** A first monitor makes the one receipt that all others are copies of. */
  async function fill(): Promise<void> {
    const cases = await startSibling('cases', mongo, nats);
    const maker = await replicas.start();
    await cases.publish('case.created', {
      case: { id: 1, user_case_id: 'FLOW0000001', receipt_number: first, user_id: 1, partner_id: 1 },
      watched: true,
      active: true,
      version: 1,
      first_check: 'deferred',
      baseline: null,
    });
    const template = await waitFor(() => store.template(), { timeoutMs: patienceMs, what: 'a first check' });
    maker.child.kill('SIGTERM');
    await maker.ended;
    await cases.stop();
    await store.fill(receipts, template);
    await store.makeDue();
  }

  const numbers = Array.from({ length: receipts }, (_, i) => receiptAt(i));
  // One after the other: a stand-in that is busy sees the maker's requests too close to each other.
  await fill();
  await standIn.serve(numbers);
  return {
    standIn,
    replicas,
    async stop() {
      await replicas.stop();
      await store.close();
      await Promise.all([standIn.stop(), nats.stop()]);
      await mongo.stop();
    },
  };
}
