import { backUp } from '../../backup/back-up.ts';
import { scale } from '../../backup/members.ts';
import { restore } from '../../backup/restore.ts';
import { kubectl } from '../kubectl.ts';
import { partnerApi, verifiedUser } from '../partner.ts';
import type { Reached } from '../reach.ts';
import { until } from '../wait.ts';
import { createWitness } from '../witness.ts';
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
    const api = partnerApi(system.dev);
    const witness = await changedWitness(system);
    const deleted = await verifiedUser(system.dev, api);
    await backUp(folder, say);
    const later = await createWitness(system, 1);
    const lastUser = await verifiedUser(system.dev, api);
    const { status } = await api('DELETE', `/client/users/${deleted.id}`);
    await restore(folder, say);
    const faults = [...(status === 200 ? [] : [`deleting answered ${status}`]), ...(await witness.missing())];
    if ((await api('GET', `/client/users/${deleted.id}`)).status !== 404)
      faults.push('a deleted user is back');
    if (!(await later.missing()).some((fault) => fault.endsWith('answered 404')))
      faults.push('what came after the backup is there');
    if ((await verifiedUser(system.dev, api)).id <= lastUser.id) faults.push('an id was given out twice');
    return [...faults, ...(await goesOn(witness))];
  },
};

/** NATS has nothing: streams are declared and filled again. */
export const natsLost: RestoreSituation = {
  name: 'NATS lost',
  async run({ system, folder, say }) {
    const witness = await changedWitness(system);
    await backUp(folder, say);
    await emptyNats(say);
    await restore(folder, say);
    return [...(await witness.missing()), ...(await goesOn(witness))];
  },
};

/** The database of cases goes back alone: what the others know since then comes again from their outboxes. */
export const oneService: RestoreSituation = {
  name: 'one service alone',
  async run({ system, folder, say }) {
    const witness = await changedWitness(system);
    const copy = 'cases_at_backup';
    await copyDatabase('cases', copy);
    await witness.change();
    await witness.settled(settleMs);
    await restore(folder, say, () => copyDatabase(copy, 'cases'));
    await dropDatabase(copy);
    await witness.settled(settleMs);
    return await goesOn(witness);
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
    const witness = await createWitness(system, many);
    await witness.settled(settleMs);
    await scale('deployment/webhooks', 0);
    const pods = ['pod', '--selector=app.kubernetes.io/name=webhooks'];
    await kubectl(['wait', ...pods, '--for=delete', '--timeout=120s']);
    const waitsForWebhooksAlone = async () =>
      (await witness.missing()).every((fault) => fault.includes(' webhooks instead of '));
    for (let round = 0; round < rounds; round++) {
      await witness.change();
      await until(waitsForWebhooksAlone, { what: 'updates and mails of every change', timeoutMs: settleMs });
    }
    say(`${rounds * many} status changes wait for webhooks`);
    await backUp(folder, say);
    await scale('deployment/webhooks', 2);
    await witness.settled(settleMs);
    await restore(folder, say);
    await witness.settled(settleMs);
    return await goesOn(witness);
  },
};

async function changedWitness(system: Reached) {
  const witness = await createWitness(system, cases);
  await witness.change();
  await witness.settled(settleMs);
  return witness;
}

/** A new change arrives everywhere. */
async function goesOn(witness: Awaited<ReturnType<typeof createWitness>>): Promise<string[]> {
  await witness.change();
  await witness.settled(settleMs);
  return await witness.doubled();
}
