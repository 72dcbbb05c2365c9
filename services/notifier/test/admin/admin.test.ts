import type { AuditRecord } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runAdmin } from '../../src/admin/run-admin.ts';
import { whatsappTemplates } from '../../src/templates/whatsapp-templates.ts';
import { anUpdate, aUser } from '../support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from '../support/start-notifier.ts';

describe('npm run admin -- notifier', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  async function admin(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const lines = { out: [] as string[], err: [] as string[] };
    const code = await runAdmin(['notifier', ...args], notifier.env, {
      out: (line) => lines.out.push(line),
      err: (line) => lines.err.push(line),
    });
    return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
  }

  it('templates compares approval, category and text with the provider', async () => {
    const { en, es } = whatsappTemplates.status_update.body;
    await notifier.setContents({
      HX00000000000000000000000000000001: { language: 'en', body: en },
      HX00000000000000000000000000000002: { language: 'es', body: es, category: 'MARKETING' },
      HX00000000000000000000000000000011: { language: 'en', body: 'Old text' },
    });
    const { code, out } = await admin('templates', '--json');
    expect(code).toBe(0);
    const { templates } = JSON.parse(out) as {
      templates: { template: string; language: string; finding: string }[];
    };
    const findings = Object.fromEntries(
      templates.map((row) => [`${row.template} ${row.language}`, row.finding]),
    );
    expect(findings).toMatchObject({
      'status_update en': 'ready',
      'status_update es': 'category MARKETING instead of UTILITY',
      'status_update pt': 'no SID in TWILIO_CONTENT_SIDS',
      'status_digest en': 'text differs from this release',
    });
  });

  it('replay sends a failed notification again', async () => {
    const to = 'person-901@example.org';
    notifier.users.set(901, aUser(901, { notify_by_whatsapp: false }));
    await notifier.mailFault({ mode: 'reject', code: 554, reply: '5.6.0 no', to });
    await notifier.monitor.publish('status.updated', anUpdate(901, 901));
    await notifier.saidOf(901, 'email', 'failed');
    await notifier.mailFault({ mode: 'none' });
    expect(await admin('replay', '--notification', '902:email')).toMatchObject({ code: 1 });
    expect(await admin('replay', '--notification', '901:email')).toMatchObject({ code: 0, err: '' });
    expect(await notifier.saidOf(901, 'email', 'sent')).toMatchObject({ attempts: 2, last_error: null });
    expect(await notifier.mails(to)).toHaveLength(1);
    // The partner can read that an operator did it; the command that did nothing has no record.
    const rows = await notifier.db.collection('outbox').find({ type: 'notifier.audited' }).toArray();
    const records = rows.flatMap(({ body }) => JSON.parse(String(body)).data.records as AuditRecord[]);
    expect(records).toMatchObject([
      {
        ...{ operation: 'admin replay', actor: { kind: 'operator' }, partner_id: 1 },
        objects: [{ kind: 'case', id: String(anUpdate(901, 901).case.id) }],
      },
    ]);
  });

  it('suppress ends messages to an address, unsuppress lifts it, and only a hash is stored', async () => {
    const to = 'person-911@example.org';
    notifier.users.set(911, aUser(911, { notify_by_whatsapp: false }));
    expect(await admin('suppress', '--email', to, '--reason', 'complaint')).toMatchObject({ code: 0 });
    const rows = await notifier.db.collection('address_suppressions').find().toArray();
    expect(JSON.stringify(rows)).not.toContain('911');
    await notifier.monitor.publish('status.updated', anUpdate(911, 911));
    expect((await notifier.saidOf(911, 'email', 'skipped')).last_error).toMatch(/^suppressed_complaint: /);
    expect(await admin('unsuppress', '--email', to)).toMatchObject({ code: 0 });
    expect(await admin('unsuppress', '--email', to)).toMatchObject({ code: 1 });
    await notifier.monitor.publish('status.updated', anUpdate(912, 911));
    await notifier.saidOf(912, 'email', 'sent');
  });

  it('test-send says what the provider answers', async () => {
    expect(await admin('test-send', '--email', 'operator@example.org')).toMatchObject({ code: 0 });
    const subjects = (await notifier.mails('operator@example.org')).map(({ subject }) => subject);
    expect(subjects).toEqual([expect.stringMatching(/^Test: /)]);
    const { code, err } = await admin('test-send', '--phone', '+12025550001');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('twilio_21211') });
  });
});
