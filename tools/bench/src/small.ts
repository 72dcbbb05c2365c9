/** Memory of a firm's system as six processes and as one, side by side, each with its own mongod and nats-server, with the heaps of the manifests. */
import { setTimeout as delay } from 'node:timers/promises';
import { newReceipt, received, setReceipt } from '@casewatch/driver';
import { inParallel } from './kit/load.ts';
import { heapOfOne, heapOfPods, setCacheOfOne } from './kit/manifests.ts';
import { judge, numberOptions, pssMiB, say } from './kit/report.ts';
import { type System, withSystem } from './kit/system.ts';

/** A user has at most 50 active cases. */
const casesPerUser = 40;
const { cases, settling } = numberOptions({ cases: 2_000, settling: 150 });
const withoutTraces = { OTEL_SDK_DISABLED: 'true' };

await withSystem('small: six processes', { ...withoutTraces, ...heapOfPods }, async (six) => {
  await withSystem(
    'small: one process',
    { ...withoutTraces, ...heapOfOne },
    async (one) => {
      for (const system of [six, one]) await setCacheOfOne(system.client);
      for (const system of [six, one]) await fill(system);
      await delay(settling * 1_000);
      const [apart, together] = [memoryOf(six), memoryOf(one)];
      say(`${cases} cases, ${settling} s later; PSS in MiB, six processes and one:`);
      for (const part of ['services', 'mongod', 'nats', 'all'] as const)
        say(`${part}: ${apart[part].toFixed(0)} and ${together[part].toFixed(0)}`);
      judge('services, one process ÷ six', together.services / apart.services, { atMost: 0.6 });
      judge('one process with mongod and nats-server, MiB', together.all, { atMost: 900 });
    },
    ['--one-process'],
  );
});

async function fill({ dev, partner }: System): Promise<void> {
  const users: { id: number }[] = [];
  await inParallel(Math.ceil(cases / casesPerUser), 4, async () => void users.push(await partner.newUser()));
  await inParallel(cases, 8, async (i) => {
    const receipt = newReceipt();
    await setReceipt(dev, receipt, received);
    await partner.newCase(users[i % users.length]?.id ?? 0, receipt);
  });
}

function memoryOf(system: System) {
  const pids = system.pids();
  const { mongod, nats } = system.servers;
  const services = pids.filter((pid) => pid !== mongod && pid !== nats);
  const sum = (of: readonly number[]) => of.reduce((total, pid) => total + pssMiB(pid), 0);
  return { services: sum(services), mongod: sum([mongod]), nats: sum([nats]), all: sum(pids) };
}
