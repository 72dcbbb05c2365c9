/** A burst and reads in the memory that the pods, and the containers of a small firm, may have: each process in a control group. */
import { readFileSync } from 'node:fs';
import { serviceNames } from '@casewatch/contracts';
import { newReceipt, received, setReceipt } from '@casewatch/driver';
import { createChanges } from './kit/changes.ts';
import { heapOfOne, heapOfPods, limitOfContainer, limitOfPod, setCacheOfOne } from './kit/manifests.ts';
import { type Confined, confine } from './kit/memory-limit.ts';
import { judge, numberOptions, say } from './kit/report.ts';
import { getText, saturate } from './kit/sockets.ts';
import { addWatchers, type System, withSystem } from './kit/system.ts';

const { changes: burst, seconds } = numberOptions({ changes: 1_000, seconds: 20 });
/** Each receipt is due all the time, so that a change is seen at once. */
const always = { MONITOR_INTERVAL_SCALE: '0.000138' };

await withSystem('limits: six pods', { ...always, ...heapOfPods }, async (system) => {
  await load(
    system,
    serviceNames.map((service) => confine(service, system.pidOf(service), limitOfPod(service))),
  );
});
await withSystem(
  'limits: one process',
  { ...always, ...heapOfOne },
  async (system) => {
    const { mongod, nats } = system.servers;
    await setCacheOfOne(system.client);
    await load(system, [
      confine('casewatch', system.pidOf('gateway'), limitOfContainer('casewatch')),
      confine('mongodb', mongod, limitOfContainer('mongodb')),
      confine('nats', nats, limitOfContainer('nats')),
    ]);
  },
  ['--one-process'],
);

/** All cases change at once while reads go on. A process that the kernel ended would leave requests or calls without an answer. */
async function load(system: System, groups: readonly Confined[]): Promise<void> {
  process.once('exit', () => {
    for (const group of groups) group.remove();
  });
  for (const service of serviceNames) {
    const given = readFileSync(`/proc/${system.pidOf(service)}/environ`, 'utf8');
    if (!given.includes('--max-old-space-size=')) throw new Error(`${service} has no limit of its heap`);
  }
  const { dev, partner } = system;
  const changes = createChanges(system);
  const receipts = Array.from({ length: burst }, newReceipt);
  for (const receipt of receipts) await setReceipt(dev, receipt, received);
  await addWatchers(system, { receipts, perReceipt: 1 });
  const { body } = await partner.call<{ cases: { id: number }[] }>('GET', '/v1/client/cases');
  const texts = body.cases.map(({ id }) => getText(`/v1/client/cases/${id}`, partner.headers));
  for (const receipt of receipts) await changes.change(receipt);
  const reads = await saturate([dev.gateway_url], texts, { width: 4, ms: seconds * 1_000 });
  await changes.mails(burst);
  say(`${burst} changes were told by mail; ${reads.perSecond.toFixed(0)} reads a second beside them`);
  for (const { name, limitMiB, peakMiB } of groups) {
    say(`${name}: at most ${peakMiB().toFixed(0)} of ${limitMiB} MiB, with what files have in memory`);
  }
  judge('processes that are still the same', groups.length - ended(system), { atLeast: groups.length });
}

function ended(system: System): number {
  return system.pids().filter((pid) => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  }).length;
}
