import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

describe('a monitor of a newer release', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  /** Past the outbox: this release's outbox writes what this release knows. */
  function publish(data: object): void {
    const event = {
      specversion: '1.0',
      id: randomUUID(),
      source: '/casewatch/monitor',
      type: 'status.updated',
      subject: 'case/1',
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      data,
      extension_of_tomorrow: 1,
    };
    notifier.monitor.bus.connection.publish('status.updated', JSON.stringify(event));
  }

  it('may add fields at every level: people are told', async () => {
    notifier.users.set(201, aUser(201));
    const update = anUpdate(201, 201);
    publish({
      ...update,
      case: { ...update.case, field_of_tomorrow: 1 },
      status_update: { ...update.status_update, field_of_tomorrow: { nested: true } },
    });
    expect(await notifier.saidOf(201, 'email', 'sent')).toMatchObject({ attempts: 1 });
  });

  it('may give a reason of its own not to tell people: nobody is told', async () => {
    notifier.users.set(202, aUser(202));
    publish({ ...anUpdate(202, 202), skip_reason: 'reason_of_tomorrow' });
    for (const channel of ['email', 'whatsapp'] as const) {
      const { last_error } = await notifier.saidOf(202, channel, 'skipped');
      expect(last_error).toBe('other: notifications are suppressed for this update');
    }
    expect(await notifier.mails('person-202@example.org')).toEqual([]);
  });

  it('may name a new kind of change: people are told of it', async () => {
    notifier.users.set(203, aUser(203));
    const update = anUpdate(203, 203);
    publish({ ...update, status_update: { ...update.status_update, kind: 'kind_of_tomorrow' } });
    expect(await notifier.saidOf(203, 'email', 'sent')).toMatchObject({ attempts: 1 });
  });
});
