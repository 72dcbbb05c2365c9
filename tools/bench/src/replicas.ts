/** G13: requests per CPU second of two replicas of everything, beside one. */
import { newReceipt, received, setReceipt } from '@casewatch/driver';
import { cpuOf, judge, median, numberOptions, say } from './kit/report.ts';
import { getText, saturate } from './kit/sockets.ts';
import { addWatchers, withSystem } from './kit/system.ts';

const { seconds, rounds } = numberOptions({ seconds: 4, rounds: 5 });

await withSystem(`replicas: ${rounds} rounds of ${seconds} s a side`, {}, async (system) => {
  const { dev, partner } = system;
  const receipts = Array.from({ length: 8 }, newReceipt);
  for (const receipt of receipts) await setReceipt(dev, receipt, received);
  await addWatchers(system, { receipts, perReceipt: 1 });
  const { body } = await partner.call<{ cases: { id: number }[] }>('GET', '/v1/client/cases');
  const texts = [
    ...body.cases.map(({ id }) => getText(`/v1/client/cases/${id}`, partner.headers)),
    getText('/v1/client/cases?limit=50', partner.headers),
    getText('/v1/client/users', partner.headers),
  ];
  const run = async (urls: readonly string[], pids: readonly number[]) => {
    const before = cpuOf(pids);
    const { count } = await saturate(urls, texts, { width: 8, ms: seconds * 1_000 });
    return (count * 1_000) / (cpuOf(pids) - before);
  };
  const single = system.pids();
  const one: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const value = await run([dev.gateway_url], single);
    if (round >= 0) one.push(value);
  }
  const second = {
    identity: await system.replica('identity'),
    cases: await system.replica('cases'),
    monitor: await system.replica('monitor'),
    notifier: await system.replica('notifier'),
    webhooks: await system.replica('webhooks'),
  };
  const gateway = await system.replica('gateway', {
    IDENTITY_URL: second.identity.url,
    CASES_URL: second.cases.url,
    WEBHOOKS_URL: second.webhooks.url,
    NOTIFIER_URL: second.notifier.url,
  });
  const all = [...single, gateway.pid, ...Object.values(second).map(({ pid }) => pid)];
  const two: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const value = await run([dev.gateway_url, gateway.url], all);
    if (round >= 0) two.push(value);
  }
  say(`requests per CPU second: one replica ${median(one).toFixed(0)}, two ${median(two).toFixed(0)}`);
  judge('G13 throughput per CPU second, two replicas ÷ one', median(two) / median(one), { atLeast: 0.9 });
});
