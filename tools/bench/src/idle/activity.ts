import { readdirSync, readFileSync } from 'node:fs';
import mongoose from 'mongoose';
import { cpuMicroseconds } from '../kit/processes.ts';

export type Pids = Readonly<Record<string, number>>;

/** CPU of a process in a second, ms, and how often one of its threads ends a wait. */
export type Activity = { cpuMs: number; wakeUps: number };

type Reading = { at: number; of: Map<string, { cpuMs: number; wakeUps: number }> };

export function readProcesses(pids: Pids): Reading {
  const of = Object.entries(pids).map(
    ([name, pid]) =>
      [name, { cpuMs: cpuMicroseconds(pid) / 1_000, wakeUps: voluntarySwitches(pid) }] as const,
  );
  return { at: performance.now(), of: new Map(of) };
}

/** proc(5), status. */
function voluntarySwitches(pid: number): number {
  const counts = readdirSync(`/proc/${pid}/task`).map((id) => {
    const status = readFileSync(`/proc/${pid}/task/${id}/status`, 'utf8');
    return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

export function activityBetween(before: Reading, after: Reading): Map<string, Activity> {
  const perSecond = 1_000 / (after.at - before.at);
  const none = { cpuMs: 0, wakeUps: 0 };
  return new Map(
    [...after.of].map(([name, end]) => {
      const start = before.of.get(name) ?? none;
      const cpuMs = (end.cpuMs - start.cpuMs) * perSecond;
      return [name, { cpuMs, wakeUps: (end.wakeUps - start.wakeUps) * perSecond }];
    }),
  );
}

export type Sources = { mongoUrl: string; natsMonitorPort: number };

/** What the servers of a system count: commands by their names, and messages that NATS received. */
export async function openCounters({ mongoUrl, natsMonitorPort }: Sources) {
  const client = await new mongoose.mongo.MongoClient(mongoUrl).connect();

  async function read() {
    const { metrics } = await client.db('admin').command({ serverStatus: 1 });
    const commands = Object.entries(metrics.commands as Record<string, { total?: number }>);
    const varz = await fetch(`http://127.0.0.1:${natsMonitorPort}/varz`);
    const { in_msgs } = (await varz.json()) as { in_msgs: number };
    return {
      at: performance.now(),
      messages: in_msgs,
      commands: new Map(commands.map(([name, { total = 0 }]) => [name, Number(total)])),
    };
  }

  return { client, read, close: () => client.close() };
}

type Counts = Awaited<ReturnType<Awaited<ReturnType<typeof openCounters>>['read']>>;

/** In a second, the most frequent commands first. The driver sends `hello` to watch the server. */
export function countsBetween(before: Counts, after: Counts) {
  const perSecond = 1_000 / (after.at - before.at);
  const commands = [...after.commands]
    .map(([name, total]): [string, number] => [name, (total - (before.commands.get(name) ?? 0)) * perSecond])
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);
  return { commands, messages: (after.messages - before.messages) * perSecond };
}
