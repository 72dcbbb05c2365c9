import { exec, killPod, kubectl, demoNamespace } from '../../kit/kubectl.ts';
import { rolledOut } from '../../kit/rollouts.ts';
import { until } from '../../kit/wait.ts';
import type { Check, CheckContext } from '../check.ts';
import { createDeliveryAudit } from '../delivery-audit.ts';

const cases = 8;
const promisedMs = 30_000;

/** The leader of NATS's meta group, which places streams and consumers. */
export const busLeader: Check = {
  name: 'nats-leader',
  promise: `NATS leader deleted while cases change: nothing lost, recovered < ${promisedMs / 1000} s`,
  run: (context) => loseLeader(context, natsLeader),
};

export const databasePrimary: Check = {
  name: 'mongodb-primary',
  promise: `MongoDB primary deleted while cases change: nothing lost, recovered < ${promisedMs / 1000} s`,
  run: (context) => loseLeader(context, mongodbPrimary),
};

async function loseLeader({ reached, say }: CheckContext, find: () => Promise<string>) {
  const audit = await createDeliveryAudit(await reached(), cases);
  await audit.settled(60_000);
  const pod = await until(async () => (await find()) || null, { what: 'the leader', timeoutMs: 60_000 });
  await Promise.all([audit.change(), killPod(pod)]);
  const tookMs = await audit.settled(180_000);
  say(`${pod} deleted; everything arrived after ${(tookMs / 1000).toFixed(1)} s`);
  await rolledOut(300_000, say);
  const next = await until(async () => (await find()) || null, { what: 'another leader', timeoutMs: 60_000 });
  const stillMissing = await audit.missing();
  return {
    ok: tookMs < promisedMs && stillMissing.length === 0,
    measured: `${pod} → ${next}; ${audit.changes()} changes, ${stillMissing.length} lost or doubled, recovered in ${(tookMs / 1000).toFixed(1)} s`,
  };
}

async function natsLeader(): Promise<string> {
  const path = `/api/v1/namespaces/${demoNamespace}/pods/nats-0:8222/proxy/jsz`;
  const { meta_cluster } = JSON.parse(await kubectl(['get', '--raw', path])) as {
    meta_cluster?: { leader?: string };
  };
  return meta_cluster?.leader ?? '';
}

async function mongodbPrimary(): Promise<string> {
  const command = ['mongosh', '--quiet', '--norc', '--host=127.0.0.1', '--eval', 'print(db.hello().primary)'];
  for (const member of ['mongodb-0', 'mongodb-1', 'mongodb-2']) {
    const { stdout } = await exec(member, 'mongod', command);
    const primary = /mongodb-\d/.exec(stdout)?.[0];
    if (primary) return primary;
  }
  return '';
}
