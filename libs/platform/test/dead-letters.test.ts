import { type Base, PoisonError } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DeadLetterBox, openDeadLetterBox } from '../src/events/dead-letters.ts';
import { operatorProgram } from '../src/process/operator-commands.ts';
import { deadLetterCommands } from '../src/programs/dead-letter-commands.ts';
import { deleteUser } from './support/delete-user.ts';
import { startBases, type TestBases } from './support/start-bases.ts';
import { noHandlers } from './support/no-handlers.ts';

describe('dead letters', () => {
  let bases: TestBases;
  let identity: Base<'identity'>;
  let notifier: Base<'notifier'>;
  let box: DeadLetterBox;
  let isBroken = true;
  const handled: number[] = [];

  beforeAll(async () => {
    bases = await startBases();
    [identity, notifier] = await Promise.all([bases.base('identity'), bases.base('notifier')]);
    identity.startPublishing();
    identity.consume(noHandlers('identity'));
    notifier.startPublishing();
    notifier.consume({
      ...noHandlers('notifier'),
      'user.deleted': async ({ user_id }) => {
        if (isBroken) throw new PoisonError(`no such\nplace for ${user_id}`);
        handled.push(user_id);
      },
    });
    box = openDeadLetterBox(notifier.db, 'notifier');
  });
  afterAll(async () => {
    await bases.stop();
  });

  const program = operatorProgram<DeadLetterBox>({
    name: 'deadletters',
    commands: deadLetterCommands,
    withContext: (_env, _say, work) => work(box),
  });
  async function run(...words: string[]): Promise<string[]> {
    const lines: string[] = [];
    const errors: string[] = [];
    const code = await program(
      ['deadletters', ...words],
      {},
      {
        out: (line) => lines.push(line),
        err: (line) => errors.push(line),
      },
    );
    if (code !== 0) throw new Error(errors.join('\n'));
    return lines;
  }
  const lettersOf = async () => await box.list();
  async function deadLetterOf(userId: number) {
    const eventId = await deleteUser(identity, userId);
    return await waitFor(async () => (await lettersOf()).find(({ id }) => id === eventId), {
      what: 'the dead letter',
    });
  }

  it('are listed with their reason and count, and shown whole', async () => {
    const { seq, id } = await deadLetterOf(1);
    expect(await run('list', 'notifier')).toEqual(await run('list'));
    const line = new RegExp(
      `^notifier ${seq} {2}\\S+ {2}user.deleted {2}poison, 1 try: PoisonError: no such place for 1$`,
    );
    expect(await run('list')).toEqual([expect.stringMatching(line)]);
    const [shown = ''] = await run('show', 'notifier', String(seq));
    const letter = JSON.parse(shown);
    expect(letter).toMatchObject({ type: 'user.deleted', id, tries: 1 });
    expect(JSON.parse(letter.body)).toMatchObject({ id, data: { user_id: 1 } });
  });

  it('are handled by their service when they are replayed, and by no other, and are dead letters again if that fails', async () => {
    const { seq, id } = await deadLetterOf(2);
    expect(await run('replay', 'notifier', String(seq))).toEqual(['1 event replayed']);
    const again = await waitFor(
      async () => (await lettersOf()).find((letter) => letter.id === id && letter.seq !== seq),
      {
        what: 'the dead letter of the replay',
      },
    );
    isBroken = false;
    await run('replay', 'notifier', String(again.seq));
    await waitFor(() => handled.includes(2), { what: 'the event' });
    isBroken = true;
    expect({ handled, left: (await lettersOf()).map((letter) => letter.id).includes(id) }).toEqual({
      handled: [2],
      left: false,
    });
  });

  it('are discarded one by one or all together', async () => {
    const [first] = [await deadLetterOf(3), await deadLetterOf(4)];
    expect(await run('discard', 'notifier', String(first.seq))).toEqual(['1 event discarded']);
    const left = (await lettersOf()).length;
    expect(await run('discard', 'notifier', '--all')).toEqual([
      `${left} ${left === 1 ? 'event' : 'events'} discarded`,
    ]);
    expect(await run('list')).toEqual(['no dead letters']);
  });

  it.each([
    [[], 'Give a command'],
    [['burn', 'notifier'], 'Give a command'],
    [['replay'], 'replay needs the name of a service'],
    [['replay', 'gateway', '1'], 'Unknown service: gateway. Use one of: identity, cases'],
    [['discard', 'notifier'], 'Give the number of a dead letter'],
    [['discard', 'notifier', '1', '--all'], 'Give either a number or --all'],
    [['discard', 'notifier', '0'], 'Not a dead letter number: 0'],
    [['show', 'notifier', '999999'], 'notifier has no dead letter 999999'],
    [['list', '--everything'], 'Correct forms'],
    [['list', 'cases'], 'MONGODB_URL names the database of notifier'],
    [['discard', 'cases', '--all'], 'MONGODB_URL names the database of notifier'],
  ])('change nothing and say the right form for %j', async (words, sentence) => {
    const { seq } = await deadLetterOf(5);
    await expect(run(...words)).rejects.toThrow(sentence);
    expect((await lettersOf()).map((letter) => letter.seq)).toContain(seq);
  });

  it('are counted in the metrics of their service, with the outcomes of its events', async () => {
    const scrape = async () => await (await fetch(`http://127.0.0.1:${notifier.metricsPort}/metrics`)).text();
    const text = await waitFor(
      async () => {
        const metrics = await scrape();
        // Events of the tests before may still become dead letters. One is stored a moment before its event stops being pending.
        const left = (await lettersOf()).length;
        const isSettled = metrics.includes('events_pending{consumer="notifier-identity"} 0\n');
        return isSettled && metrics.includes(`events_dead_letters ${left}\n`) && metrics;
      },
      { what: 'the dead letters in the metrics, and no pending event', timeoutMs: 50_000 },
    );
    expect(text).toMatch(/events_outcomes_total\{consumer="notifier-identity",outcome="dead"\} \d+/);
    expect(text).toMatch(/events_oldest\{consumer="notifier-status"\} 0\n/);
  });
});
