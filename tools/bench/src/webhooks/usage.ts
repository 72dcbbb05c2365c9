import mongoose from 'mongoose';
import { cpuSeconds, waitedMs } from '../kit/processes.ts';
import { monotonicMs } from './monotonic.ts';

type Pids = Readonly<Record<string, number>>;
type Sources = { pids: Pids; mongoUrl: string; natsMonitorPort: number };

/** What one delivery costs: CPU by process and time of waiting for a core in ms, requests to MongoDB, transactions, journal syncs and NATS messages. */
export type Cost = Record<string, number>;

/** Time for the last results to be stored, ms. */
export const settlingMs = 1_500;

type Counters = {
  at: number;
  cpuMs: Record<string, number>;
  waitedMs: number;
  requests: number;
  transactions: number;
  syncs: number;
  messages: number;
};

export async function openUsage({ pids, mongoUrl, natsMonitorPort }: Sources) {
  const client = await new mongoose.mongo.MongoClient(mongoUrl).connect();

  async function read(): Promise<Counters> {
    const status = await client.db('admin').command({ serverStatus: 1 });
    const varz = await fetch(`http://127.0.0.1:${natsMonitorPort}/varz`);
    const { in_msgs, out_msgs } = (await varz.json()) as { in_msgs: number; out_msgs: number };
    const cpu = Object.entries(pids).map(([name, pid]) => [name, cpuSeconds(pid) * 1_000] as const);
    return {
      at: monotonicMs(),
      cpuMs: Object.fromEntries(cpu),
      waitedMs: Object.values(pids).reduce((sum, pid) => sum + waitedMs(pid), 0),
      requests: status.network.numRequests,
      transactions: status.transactions.totalCommitted,
      syncs: status.wiredTiger.log['log sync operations'],
      messages: in_msgs + out_msgs,
    };
  }

  return {
    database: () => client.db(),
    read,
    async costSince(before: Counters, deliveries: number): Promise<Cost> {
      const after = await read();
      const cpu = Object.keys(pids).map((name) => {
        return [name, ((after.cpuMs[name] ?? 0) - (before.cpuMs[name] ?? 0)) / deliveries] as const;
      });
      const per = (name: 'waitedMs' | 'requests' | 'transactions' | 'syncs' | 'messages') =>
        (after[name] - before[name]) / deliveries;
      return {
        ...Object.fromEntries(cpu),
        'CPU ms': cpu.reduce((sum, [, ms]) => sum + ms, 0),
        'waited for a core ms': per('waitedMs'),
        'MongoDB requests': per('requests'),
        transactions: per('transactions'),
        'journal syncs': per('syncs'),
        'NATS messages': per('messages'),
      };
    },
    close: () => client.close(),
  };
}

/** The cost as columns of a table. */
export function costColumns(cost: Cost): Record<string, string> {
  return Object.fromEntries(Object.entries(cost).map(([name, value]) => [name, value.toFixed(3)]));
}
