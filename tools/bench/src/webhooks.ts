/** G6: calls a second of a burst, and of events that each go to 20 endpoints, beside a bare loop. G8: an endpoint of 100 that hangs. */
import {
  expectStatus,
  newReceipt,
  operator,
  type PartnerWithKey,
  received,
  setReceipt,
  tell,
  createPartner,
} from '@casewatch/driver';
import { Pool } from 'undici';
import { createChanges } from './kit/changes.ts';
import { atRate, inParallel } from './kit/load.ts';
import { judge, median, numberOptions, quantile, say } from './kit/report.ts';
import { addWatchers, withSystem } from './kit/system.ts';

const { burst, fanOut, rounds, pairs, seconds } = numberOptions({
  burst: 500,
  fanOut: 50,
  rounds: 3,
  pairs: 5,
  seconds: 20,
});
/** The most endpoints of a partner. */
const perPartner = 20;
const partners = 5;
/** The bare loop has as many requests at a time as webhooks may have at one endpoint. */
const width = 64;

await withSystem('webhooks', { MONITOR_INTERVAL_SCALE: '0.000138' }, async (system) => {
  const { dev } = system;
  const changes = createChanges(system);
  const [wide, narrow] = [newReceipt(), newReceipt()];
  /** One for each pair: a receipt has no more than 130 statuses. */
  const common = Array.from({ length: pairs + 1 }, newReceipt);
  for (const receipt of [wide, narrow, ...common]) await setReceipt(dev, receipt, received);
  // The demo's partner has an endpoint already.
  const owners: PartnerWithKey[] = [];
  for (let i = 1; i <= partners; i++) {
    const args = ['partner', 'create', '--name', `Partner ${i}`, '--email', 'office@example.com'];
    owners.push((await operator<{ partner: PartnerWithKey }>(system.dataDir, ...args)).partner);
  }
  const [keys, ...others] = owners;
  if (!keys) throw new Error('no partner was created');
  const fields = { notify_by_email: false };
  await addWatchers(system, { keys, fields, receipts: [wide], perReceipt: burst });
  await addWatchers(system, { keys, fields, receipts: [narrow], perReceipt: fanOut });

  await addEndpoint(keys, 'e0');
  const single = await measureBurst(wide, ['e0'], burst);
  say(
    `burst of ${burst} to one endpoint: ${single.perSecond.toFixed(0)}/s, bare loop ${single.bare.toFixed(0)}/s`,
  );
  judge('G6 calls of a burst ÷ bare loop', single.perSecond / single.bare, { atLeast: 0.2 });
  judge('G6 calls of a burst, per second', single.perSecond, { atLeast: 120 });
  const hooks = Array.from({ length: perPartner }, (_, i) => `e${i}`);
  for (const hook of hooks.slice(1)) await addEndpoint(keys, hook);
  const many = await measureBurst(narrow, hooks, fanOut);
  say(
    `${fanOut} events to ${perPartner} endpoints: ${many.perSecond.toFixed(0)}/s, bare loop ${many.bare.toFixed(0)}/s`,
  );
  judge(`G6 fan-out to ${perPartner} endpoints ÷ bare loop`, many.perSecond / many.bare, { atLeast: 0.4 });

  for (const owner of others)
    for (let i = 0; i < perPartner; i++) {
      const hook = `p${owner.id}e${i}`;
      hooks.push(hook);
      await addEndpoint(owner, hook);
    }
  for (const owner of owners)
    await addWatchers(system, { keys: owner, fields, receipts: common, perReceipt: 1 });
  const ratios: number[] = [];
  for (let pair = -1; pair < pairs; pair++) {
    // The order changes from pair to pair, so that a machine that slows down affects both sides equally.
    const order = pair % 2 === 0 ? [true, false] : [false, true];
    const p99 = new Map<boolean, number>();
    for (const hangs of order) p99.set(hangs, await measureOthers(common[pair + 1] ?? '', hangs));
    const ratio = (p99.get(true) ?? 0) / (p99.get(false) ?? 1);
    say(
      `p99 of the others: ${p99.get(true)?.toFixed(0)} ms beside an endpoint that hangs, ${p99.get(false)?.toFixed(0)} ms beside none`,
    );
    if (pair >= 0) ratios.push(ratio);
  }
  judge('G8 p99 beside one of 100 endpoints that hangs ÷ beside none, median of the pairs', median(ratios), {
    atMost: 1.2,
  });

  async function addEndpoint(owner: PartnerWithKey, hook: string): Promise<void> {
    const body = {
      url: `${dev.receiver_url}/hooks/${hook}`,
      events: ['case.status_updated'],
      rate_limit: 5_000,
    };
    expectStatus('endpoint', await createPartner(dev, owner).call('POST', '/v1/webhooks', body), 201);
  }

  /** Calls a second from the first arrival to the last, and of the bare loop that sends the same bytes; medians of the rounds. */
  async function measureBurst(receipt: string, hooks: readonly string[], events: number) {
    const rates: { perSecond: number[]; bare: number[] } = { perSecond: [], bare: [] };
    for (let round = -1; round < rounds; round++) {
      for (const hook of hooks) await changes.forget(hook);
      await changes.change(receipt);
      const calls = (await Promise.all(hooks.map((hook) => changes.calls(hook, events)))).flat();
      const at = calls.map(({ received_at }) => Date.parse(received_at));
      const perSecond = (calls.length * 1_000) / (Math.max(...at) - Math.min(...at));
      const pool = new Pool(dev.receiver_url, { connections: width, pipelining: 1 });
      const started = performance.now();
      await inParallel(calls.length, width, async (index) => {
        const { headers = {}, body = '' } = calls[index] ?? {};
        const names = Object.entries(headers).filter(([name]) =>
          /^(webhook-|content-type|user-agent)/.test(name),
        );
        const answer = await pool.request({
          method: 'POST',
          path: '/hooks/bare',
          headers: Object.fromEntries(names),
          body,
        });
        await answer.body.dump();
      });
      const bare = (calls.length * 1_000) / (performance.now() - started);
      await pool.close();
      await changes.forget('bare');
      if (round < 0) continue;
      rates.perSecond.push(perSecond);
      rates.bare.push(bare);
    }
    return { perSecond: median(rates.perSecond), bare: median(rates.bare) };
  }

  /** One change a second reaches all 100 endpoints. @returns p99 from the check to the arrival at those that answer, ms */
  async function measureOthers(receipt: string, hangs: boolean): Promise<number> {
    const [hanging = '', ...others] = hooks;
    await tell(`${dev.receiver_url}/sandbox/hooks/${hanging}`, { mode: hangs ? 'hang' : 'none' });
    for (const hook of hooks) await changes.forget(hook);
    const made: Awaited<ReturnType<typeof changes.change>>[] = [];
    await atRate(seconds, 1, async () => void made.push(await changes.change(receipt)));
    const seen = await changes.seen(made);
    const calls = await Promise.all(others.map((hook) => changes.calls(hook, seen.length)));
    const late = calls.flatMap((own) =>
      own.map(({ received_at }, nth) => Date.parse(received_at) - (seen[nth]?.atMs ?? 0)),
    );
    return quantile(late, 0.99);
  }
});
