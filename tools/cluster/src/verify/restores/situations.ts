import { backUp } from '../../backup/back-up.ts';
import { scale } from '../../backup/members.ts';
import { restore } from '../../backup/restore.ts';
import { kubectl } from '../kubectl.ts';
import { partnerApi, verifiedUser } from '../partner.ts';
import type { Reached } from '../reach.ts';
import { until } from '../wait.ts';
import { createWitness } from '../witness.ts';
import { emptyNats } from './empty-nats.ts';
import { copyDatabase, dropDatabase, statusEvents } from './one-database.ts';

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

/** The backup is of a moment when a consumer was far behind; it has caught up before the restore. */
export const consumerLag: RestoreSituation = {
  name: 'a consumer behind',
  async run({ system, folder, say }) {
    const rounds = 5;
    const many = 10;
    const witness = await createWitness(system, many);
    await witness.settled(settleMs);
    await scale('deployment/cases', 0);
    await kubectl([
      'wait',
      'pod',
      '--selector=app.kubernetes.io/name=cases',
      '--for=delete',
      '--timeout=120s',
    ]);
    for (let round = 0; round < rounds; round++) {
      const before = await statusEvents();
      await witness.change();
      const isTold = async () => (await statusEvents()) >= before + many;
      await until(isTold, { what: 'the events of every change', timeoutMs: settleMs });
    }
    say(`${rounds * many} status changes wait for cases`);
    await backUp(folder, say);
    await scale('deployment/cases', 2);
    await witness.settled(settleMs);
    await restore(folder, say);
    await witness.settled(settleMs);
    // At the backup these mails waited too: that they were sent since, the restored notifier cannot know.
    const again = await witness.doubled();
    say(`${again.length} mails that were sent after the backup came again, under the same Message-ID`);
    return (await goesOn(witness)).filter((fault) => !again.includes(fault));
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
