/** G3: a write with its event and the creation of a case, beside one majority-written update. G4: a list of 50, beside raw BSON. */
import { newReceipt, received, send, setReceipt, succeed } from '@casewatch/driver';
import { inParallel, timeOf } from './kit/load.ts';
import { cpuMs, judge, median, numberOptions, say } from './kit/report.ts';
import { addWatchers, withSystem } from './kit/system.ts';

const { writes, lists, rounds } = numberOptions({ writes: 200, lists: 300, rounds: 6 });
const pageSize = 50;

await withSystem(`cases: ${writes} writes, ${rounds} × ${lists} lists`, {}, async (system) => {
  const { dev, partner } = system;
  const floor = await system.floor('store', { MONGODB_URL: dev.mongodb_url });
  const receipts = Array.from({ length: pageSize + 10 }, newReceipt);
  for (const receipt of receipts) await setReceipt(dev, receipt, received);
  const watchers = await addWatchers(system, { receipts, perReceipt: 1 });

  const times: Record<'floor' | 'update' | 'create', number[]> = { floor: [], update: [], create: [] };
  for (let i = 0; i < writes; i++) {
    const user = watchers[i % watchers.length]?.id ?? 0;
    const receipt = newReceipt();
    await setReceipt(dev, receipt, received);
    const asks = {
      floor: () =>
        fetch(floor.url, { method: 'PUT', body: 'x'.repeat(i % 8) }).then((answer) => answer.text()),
      update: () =>
        succeed(dev, 'PUT', {
          as: partner.headers,
          path: `/v1/client/users/${user}`,
          body: { name: `Ana ${i}` },
        }),
      create: () => partner.newCase(user, receipt),
    };
    for (const name of ['floor', 'update', 'create'] as const) {
      const ms = await timeOf(asks[name]);
      // The first calls compile code.
      if (i >= writes / 10) times[name].push(ms);
    }
  }
  const [write, update, create] = [median(times.floor), median(times.update), median(times.create)];
  say(
    `p50: one update ${write.toFixed(1)} ms, user with event ${update.toFixed(1)} ms, case ${create.toFixed(1)} ms`,
  );
  judge('G3 write with its event ÷ one majority-written update, p50', update / write, { atMost: 3 });
  judge('G3 create case ÷ one majority-written update, p50', create / write, { atMost: 6 });

  const costs: Record<'cases' | 'floor', number[]> = { cases: [], floor: [] };
  const sides = {
    cases: {
      pid: system.pidOf('cases'),
      ask: { as: partner.headers, path: `/v1/client/cases?limit=${pageSize}` },
      at: dev,
    },
    floor: { pid: floor.pid, ask: { path: '/' }, at: null },
  };
  for (let round = -1; round < rounds; round++)
    for (const name of round % 2 === 0 ? (['cases', 'floor'] as const) : (['floor', 'cases'] as const)) {
      const { pid, ask, at } = sides[name];
      const before = cpuMs(pid);
      await inParallel(lists, 8, async () => {
        if (at === null) return void (await (await fetch(floor.url)).arrayBuffer());
        const { status } = await send(at, 'GET', ask);
        if (status !== 200) throw new Error(`GET ${ask.path} answered ${status}`);
      });
      if (round >= 0) costs[name].push((cpuMs(pid) - before) / lists);
    }
  say(
    `CPU of a list of ${pageSize}: cases ${median(costs.cases).toFixed(2)} ms, raw BSON ${median(costs.floor).toFixed(2)} ms`,
  );
  judge('G4 list of 50, CPU of cases ÷ raw BSON', median(costs.cases) / median(costs.floor), { atMost: 3 });
});
