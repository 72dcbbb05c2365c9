import { createBase, PoisonError } from '@casewatch/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createContext } from '../src/context.ts';
import { onStatusUpdated } from '../src/events/on-status-updated.ts';
import { database } from '../src/store/database.ts';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

describe('the id of a StatusUpdate that is known', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  it('is refused with another case, with an error that names ids only; with its own case it is done', async () => {
    const { config } = notifier;
    const base = await createBase('notifier', config, database);
    const handle = onStatusUpdated(createContext({ base, config, overrides: {} }));
    notifier.users.set(301, aUser(301));
    const delivery = { id: 'event', time: new Date() };
    await handle(anUpdate(301, 301), delivery);
    await handle(anUpdate(301, 301), delivery);
    const other = { ...anUpdate(302, 301), status_update: anUpdate(301, 301).status_update };
    await expect(handle(other, delivery)).rejects.toThrow(
      new PoisonError('StatusUpdate 301 is of case 301; not of case 302'),
    );
    await notifier.saidOf(301, 'email', 'sent');
    expect(await notifier.mails('person-301@example.org')).toHaveLength(1);
    await base.stop();
  });
});
