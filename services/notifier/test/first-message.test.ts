import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const sid = (number: number) => `HX${String(number).padStart(32, '0')}`;

describe('the WhatsApp message with a Stop button', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    const contents = {
      status_update: { en: sid(1), es: sid(2), pt: sid(3) },
      status_digest: {},
      first_update: { en: sid(21), pt: sid(23) },
    };
    notifier = await startTestNotifier({ TWILIO_CONTENT_SIDS: JSON.stringify(contents) });
  });
  afterAll(() => notifier.stop());

  async function send(id: number, user: Parameters<typeof aUser>[1] & { id: number }): Promise<void> {
    notifier.users.set(user.id, aUser(user.id, { ...user, notify_by_email: false }));
    await notifier.monitor.publish('status.updated', anUpdate(id, user.id));
    await notifier.saidOf(id, 'whatsapp', 'delivered');
  }

  async function contentsOf(phone: string) {
    return (await notifier.messages(phone)).map(({ content_sid }) => content_sid);
  }

  it('is the first to a number, and the first again to a new number', async () => {
    const [old, changed] = ['+12025554401', '+12025554402'];
    await send(4_401, { id: 4_401, phone: old });
    await send(4_402, { id: 4_401, phone: old });
    expect(await contentsOf(old)).toEqual([sid(21), sid(1)]);
    await send(4_403, { id: 4_401, phone: changed });
    expect(await contentsOf(changed)).toEqual([sid(21)]);
    const [message] = await notifier.messages(changed);
    expect(message?.content_variables).toEqual({
      1: 'Case Was Approved',
      2: '6789',
      3: expect.stringMatching(/^https?:\/\/.*\/cases\/FLOW\d+$/),
    });
    const rows = notifier.db.collection<{ _id: string; template: string }>('notifications');
    const templates = await rows.find({ user_id: 4_401, channel: 'whatsapp' }).sort({ _id: 1 }).toArray();
    const names = templates.map(({ template }) => template);
    expect(names).toEqual(['first_update@4', 'status_update@3', 'first_update@4']);
  });

  it('is an ordinary one where the language has no such template', async () => {
    await send(4_411, { id: 4_411, phone: '+12025554411', preferred_language: 'es' });
    expect(await contentsOf('+12025554411')).toEqual([sid(2)]);
  });

  it('ends the messages when the person presses the button', async () => {
    const phone = '+12025554421';
    await send(4_421, { id: 4_421, phone, preferred_language: 'pt' });
    expect(await contentsOf(phone)).toEqual([sid(23)]);
    expect((await notifier.reply(phone, 'Sair')).response_status).toBe(204);
    await notifier.monitor.publish('status.updated', anUpdate(4_422, 4_421));
    const skipped = await notifier.saidOf(4_422, 'whatsapp', 'skipped');
    expect(skipped.last_error).toMatch(/^suppressed_(unsubscribed|opt_out): /);
  });
});
