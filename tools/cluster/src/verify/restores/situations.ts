import { backUp } from '../../backup/back-up.ts';
import { scale } from '../../backup/members.ts';
import { restore } from '../../backup/restore.ts';
import { createDeliveryAudit, type DeliveryAudit } from '../delivery-audit.ts';
import { kubectl } from '../kubectl.ts';
import type { Reached } from '../reach.ts';
import { until } from '../wait.ts';
import { emptyNats } from './empty-nats.ts';
import { copyDatabase, dropDatabase } from './one-database.ts';

export type Tools = { system: Reached; folder: string; say(line: string): void };
/** @returns what is wrong afterwards */
export type RestoreSituation = { name: string; run(tools: Tools): Promise<string[]> };

const cases = 4;
const settleMs = 240_000;

/** NATS goes on: what came after the backup is gone, but a deletion; ids are not given out twice. */
export const natsKept: RestoreSituation = {
  name: 'NATS kept',
  async run({ system, folder, say }) {
    const { partner } = system;
    const audit = await auditAfterChange(system);
    const deleted = await partner.verifiedUser();
    await backUp(folder, say);
    const later = await createDeliveryAudit(system, 1);
    const lastUser = await partner.verifiedUser();
    const { status } = await partner.call('DELETE', `/v1/client/users/${deleted.id}`);
    await restore(folder, say);
    const faults = [...(status === 200 ? [] : [`deleting answered ${status}`]), ...(await audit.missing())];
    if ((await partner.call('GET', `/v1/client/users/${deleted.id}`)).status !== 404)
      faults.push('a deleted user is back');
    if (!(await later.missing()).some((fault) => fault.endsWith('answered 404')))
      faults.push('what came after the backup is there');
    if ((await partner.verifiedUser()).id <= lastUser.id) faults.push('an id was given out twice');
    return [...faults, ...(await goesOn(audit))];
  },
};

/** NATS has nothing: streams are declared and filled again. */
export const natsLost: RestoreSituation = {
  name: 'NATS lost',
  async run({ system, folder, say }) {
    const audit = await auditAfterChange(system);
    await backUp(folder, say);
    await emptyNats(say);
    await restore(folder, say);
    return [...(await audit.missing()), ...(await goesOn(audit))];
  },
};

/** The database of cases goes back alone: what the others know since then comes again from their outboxes. */
export const oneService: RestoreSituation = {
  name: 'one service alone',
  async run({ system, folder, say }) {
    const audit = await auditAfterChange(system);
    const copy = 'cases_at_backup';
    await copyDatabase('cases', copy);
    await audit.change();
    await audit.settled(settleMs);
    await restore(folder, say, () => copyDatabase(copy, 'cases'));
    await dropDatabase(copy);
    await audit.settled(settleMs);
    return await goesOn(audit);
  },
};

/**
 * The backup is of a moment when webhooks was far behind; it has caught up before the restore. Mails are sent by then: one
 * that waits at the backup is sent again after the restore, as the notifier cannot know that it was sent.
 */
export const consumerLag: RestoreSituation = {
  name: 'a consumer behind',
  async run({ system, folder, say }) {
    const rounds = 5;
    const many = 10;
    const audit = await createDeliveryAudit(system, many);
    await audit.settled(settleMs);
    await scale('deployment/webhooks', 0);
    const pods = ['pod', '--selector=app.kubernetes.io/name=webhooks'];
    await kubectl(['wait', ...pods, '--for=delete', '--timeout=120s']);
    const waitsForWebhooksAlone = async () =>
      (await audit.missing()).every((fault) => fault.includes(' webhooks instead of '));
    for (let round = 0; round < rounds; round++) {
      await audit.change();
      await until(waitsForWebhooksAlone, { what: 'updates and mails of every change', timeoutMs: settleMs });
    }
    say(`${rounds * many} status changes wait for webhooks`);
    await backUp(folder, say);
    await scale('deployment/webhooks', 2);
    await audit.settled(settleMs);
    await restore(folder, say);
    await audit.settled(settleMs);
    return await goesOn(audit);
  },
};

async function auditAfterChange(system: Reached) {
  const audit = await createDeliveryAudit(system, cases);
  await audit.change();
  await audit.settled(settleMs);
  return audit;
}

/** A new change arrives everywhere. */
async function goesOn(audit: DeliveryAudit): Promise<string[]> {
  await audit.change();
  await audit.settled(settleMs);
  return await audit.doubled();
}
