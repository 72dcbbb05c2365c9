import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  approved,
  createPartner,
  hooksOf,
  mailsTo,
  messagesTo,
  newReceipt,
  type Partner,
  received,
  setReceipt,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { caseOfEvent } from '../support/case-of-event.ts';
import { readCase } from '../support/read-case.ts';
import {
  type DevFile,
  describeOwnSystem,
  pidOf,
  type System,
  sharedSystemOfProcesses,
} from '../support/system.ts';

const changesPerKill = 10;

type Tracked = { id: number; receipt: string };
/** What one kill was about. */
type Round = { service: keyof DevFile['services']; email: string; phone: string; cases: Tracked[] };

describeOwnSystem('kill -9 in the middle of ten changes', () => {
  let system: System;
  let partner: Partner;
  let user: { id: number; email: string };
  let phone: string;
  let nextNumber = 1_000;
  const emails: string[] = [];
  const receipts: string[] = [];
  const rounds: Round[] = [];
  beforeAll(async () => {
    system = await sharedSystemOfProcesses();
    partner = createPartner(system.dev(), system.dev().partner);
    await partner.newWebhook('kill');
  });
  // A user of its own for each service: one user has at most 50 active cases.
  beforeEach(async () => {
    phone = `+1202555${String(nextNumber++)}`;
    user = await partner.verifiedUser({ phone, notify_by_whatsapp: true });
    emails.push(user.email);
  });

  it.each(['gateway', 'identity', 'cases', 'monitor', 'notifier', 'webhooks'] as const)(
    'of %s: all ten arrive everywhere, none twice',
    async (service) => {
      const dev = system.dev();
      const cases = await createCases();
      for (const [i, { receipt }] of cases.entries()) {
        await setReceipt(dev, receipt, approved);
        if (i === changesPerKill / 2) process.kill(pidOf(system, service), 'SIGKILL');
      }
      await waitFor(() => system.dev().services[service]?.pid !== dev.services[service]?.pid, {
        timeoutMs: 20_000,
        what: 'the restart',
      });
      const settled = () => readAll(cases.map(({ id }) => id));
      await waitFor(
        async () =>
          (await settled()).every(
            ({ status_updates }) => status_updates.length === 2 && isTold(status_updates[0]),
          ),
        { timeoutMs: 120_000, intervalMs: 500, what: 'all ten, told' },
      );
      for (const { update_count, status_updates } of await settled()) {
        expect([update_count, status_updates.map((update) => update.status_code)]).toEqual([
          2,
          ['Case Was Approved', 'Case Was Received'],
        ]);
      }
      const round = { service, email: user.email, phone, cases };
      await waitFor(async () => (await webhooksOf(cases)).size >= changesPerKill, {
        timeoutMs: 60_000,
        what: 'ten webhooks',
      });
      await expectEachOnce(round);
      rounds.push(round);
    },
  );

  it('nor does any come a second time later', async () => {
    expect(rounds).toHaveLength(6);
    for (const round of rounds) await expectEachOnce(round);
  });

  async function createCases() {
    const made: Tracked[] = [];
    for (let i = 0; i < changesPerKill; i++) {
      const receipt = newReceipt();
      receipts.push(receipt);
      await setReceipt(system.dev(), receipt, received);
      const { status, body } = await partner.call('POST', `/v1/client/users/${user.id}/cases`, {
        receipt_number: receipt,
        uscis_access_acknowledged: true,
      });
      expect([status, body.code]).toEqual([201, undefined]);
      made.push({ id: (body.case as { id: number }).id, receipt });
    }
    return made;
  }

  /** Reads that meet a gateway or service on its way back are asked again. */
  const readAll = (ids: number[]) =>
    waitFor(() => Promise.all(ids.map((id) => readCase(partner.call, id))).catch(() => null), {
      timeoutMs: 30_000,
      what: 'the reads',
    });

  function isTold(update: Record<string, unknown> | undefined): boolean {
    const states = [String(update?.email_notify_status), String(update?.whatsapp_notify_status)];
    return states.every((state) => state === 'sent' || state === 'delivered');
  }

  /** The calls about these cases, by `webhook-id`. */
  async function webhooksOf(cases: Tracked[]) {
    const calls = await hooksOf(system.dev(), 'kill');
    const ids = new Set(cases.map(({ id }) => id));
    const ours = calls.filter(({ body }) => ids.has(caseOfEvent(body)));
    return Map.groupBy(ours, ({ headers }) => headers['webhook-id']);
  }

  /**
   * Counts mails, messages and calls, not ids. Only what the killed process was sending itself may come again, with the
   * same id: a mail whose attempt was counted (ADR 0025), and a webhook, which partners get at least once.
   */
  async function expectEachOnce({ service, email, phone, cases }: Round) {
    const dev = system.dev();
    const calls = [...(await webhooksOf(cases)).values()].map(({ length }) => length);
    expect(calls).toHaveLength(changesPerKill);
    expect(Math.max(...calls)).toBeLessThanOrEqual(service === 'webhooks' ? 2 : 1);
    const mails = await mailsTo(dev, email);
    const messages = await messagesTo(dev, phone);
    const read = await readAll(cases.map(({ id }) => id));
    for (const [i, { receipt }] of cases.entries()) {
      const ending = receipt.slice(-4);
      const told = messages.filter(({ content_variables }) =>
        Object.values(content_variables).includes(ending),
      );
      const ours = mails
        .filter(({ subject }) => subject.endsWith(ending))
        .map(({ headers }) => headers['message-id']);
      const begun = Number(read[i]?.status_updates[0]?.email_notify_attempts);
      const mayRepeat = service === 'notifier' && ours.every((id) => id === ours[0]);
      expect({ receipt, messages: told.length }).toEqual({ receipt, messages: 1 });
      expect(ours.length).toBeGreaterThanOrEqual(1);
      expect({ receipt, surplus: ours.length > (mayRepeat ? begun : 1) }).toEqual({
        receipt,
        surplus: false,
      });
    }
  }

  it('leaves no personal datum and no secret in the logs', () => {
    const secrets = [...emails, '+1202555', system.dev().partner.api_secret, 'Test Person', ...receipts];
    const folder = join(system.dataDir, 'logs');
    for (const name of readdirSync(folder).filter((file) => !/^(mongod|nats|sandbox)/.test(file))) {
      const text = readFileSync(join(folder, name), 'utf8');
      expect({ name, found: secrets.filter((secret) => text.includes(secret)) }).toEqual({ name, found: [] });
    }
  });
});
