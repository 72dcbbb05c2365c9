import { backUp } from '../backup/back-up.ts';
import { inMongo, primary, scale } from '../backup/members.ts';
import { restore } from '../backup/restore.ts';
import { kubectl, podsOf } from '../kit/kubectl.ts';
import { rolledOut } from '../kit/rollouts.ts';
import { until } from '../kit/wait.ts';
import { createDeliveryAudit, type DeliveryAudit } from './delivery-audit.ts';
import type { RemoteSystem } from './reach.ts';

type Tools = { system: RemoteSystem; folder: string; say(line: string): void };
type RestoreScenario = { name: string; run(tools: Tools): Promise<string[]> };

const cases = 4;
const settleMs = 240_000;

/** NATS keeps its data: objects from after the backup are gone, deletions are not, and ids are not given out twice. */
const natsKept: RestoreScenario = {
  name: 'NATS kept',
  async run({ system, folder, say }) {
    const { partner } = system;
    const audit = await auditAfterChange(system);
    const deleted = await partner.verifiedUser();
    await backUp(folder, say);
    const laterAudit = await createDeliveryAudit(system, 1);
    const lastUser = await partner.verifiedUser();
    const { status } = await partner.call('DELETE', `/v1/client/users/${deleted.id}`);
    await restore(folder, say);
    const faults = [...(status === 200 ? [] : [`deleting answered ${status}`]), ...(await audit.missing())];
    if ((await partner.call('GET', `/v1/client/users/${deleted.id}`)).status !== 404)
      faults.push('a deleted user is back');
    if (!(await laterAudit.faults()).some(({ text }) => text.endsWith('answered 404')))
      faults.push('an object from after the backup is there');
    if ((await partner.verifiedUser()).id <= lastUser.id) faults.push('an id was given out twice');
    return [...faults, ...(await faultsOfNextChange(audit))];
  },
};

/** NATS is empty: streams are declared and filled again. */
const natsLost: RestoreScenario = {
  name: 'NATS lost',
  async run({ system, folder, say }) {
    const audit = await auditAfterChange(system);
    await backUp(folder, say);
    say('emptying NATS …');
    for (const { metadata } of await podsOf('nats')) {
      const command = ['sh', '-c', 'rm -rf /data/jetstream'];
      await kubectl(['exec', metadata.name, '--container', 'nats', '--', ...command]);
    }
    const allMembers = '--selector=app.kubernetes.io/name=nats';
    await kubectl(['delete', 'pod', allMembers, '--grace-period=0', '--force']);
    await rolledOut(300_000, say);
    await restore(folder, say);
    return [...(await audit.missing()), ...(await faultsOfNextChange(audit))];
  },
};

/** The database of cases is restored alone: later events of the other services come again from their outboxes. */
const oneService: RestoreScenario = {
  name: 'one service alone',
  async run({ system, folder, say }) {
    const audit = await auditAfterChange(system);
    const copy = 'cases_at_backup';
    await copyDatabase('cases', copy);
    await audit.change();
    await audit.settled(settleMs);
    await restore(folder, say, { putDataBack: () => copyDatabase(copy, 'cases') });
    await inMongo(await primary(), `db.getSiblingDB('${copy}').dropDatabase();`);
    await audit.settled(settleMs);
    return await faultsOfNextChange(audit);
  },
};

/** At the backup webhooks is far behind, and mails are sent: the notifier would send a waiting mail again afterwards. */
const consumerLag: RestoreScenario = {
  name: 'a consumer behind',
  async run({ system, folder, say }) {
    const rounds = 5;
    const many = 10;
    const audit = await createDeliveryAudit(system, many);
    await audit.settled(settleMs);
    await scale('deployment/webhooks', 0);
    const pods = ['pod', '--selector=app.kubernetes.io/name=webhooks'];
    await kubectl(['wait', ...pods, '--for=delete', '--timeout=120s']);
    const onlyWebhooksMissing = async () => (await audit.faults()).every(({ place }) => place === 'webhooks');
    for (let round = 0; round < rounds; round++) {
      await audit.change();
      await until(onlyWebhooksMissing, { what: 'updates and mails of every change', timeoutMs: settleMs });
    }
    say(`${rounds * many} status changes wait for webhooks`);
    await backUp(folder, say);
    await scale('deployment/webhooks', 2);
    await audit.settled(settleMs);
    await restore(folder, say);
    await audit.settled(settleMs);
    return await faultsOfNextChange(audit);
  },
};

export const restoreScenarios = [natsKept, natsLost, oneService, consumerLag];

async function auditAfterChange(system: RemoteSystem): Promise<DeliveryAudit> {
  const audit = await createDeliveryAudit(system, cases);
  await audit.change();
  await audit.settled(settleMs);
  return audit;
}

async function faultsOfNextChange(audit: DeliveryAudit): Promise<string[]> {
  await audit.change();
  await audit.settled(settleMs);
  return await audit.duplicates();
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const copy = `
    const [from, to] = [db.getSiblingDB('${from}'), db.getSiblingDB('${to}')];
    for (const { name: coll } of from.getCollectionInfos({ type: 'collection' }))
      if (from[coll].countDocuments({}) === 0) to[coll].deleteMany({});
      else from[coll].aggregate([{ $out: { db: '${to}', coll } }]);`;
  await inMongo(await primary(), copy);
}
