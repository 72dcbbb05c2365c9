import { randomUUID } from 'node:crypto';
import {
  approved,
  createPartner,
  hooksOf,
  mailsTo,
  newReceipt,
  type Partner,
  received,
  setReceipt,
  signIn,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, expect, it } from '@jest/globals';
import { caseOfEvent } from '../support/case-of-event.ts';
import { readCase } from '../support/read-case.ts';
import { describeOwnSystem, pidOf, type System, sharedSystemOfOneProcess } from '../support/system.ts';

const workers = 6;
const patience = { timeoutMs: 120_000, intervalMs: 200 };

type Tracked = { id: number; receipt: string };

describeOwnSystem('a small firm: all services in one process', () => {
  let system: System;
  let partner: Partner;
  beforeAll(async () => {
    system = await sharedSystemOfOneProcess();
    partner = createPartner(system.dev(), system.dev().partner);
  });

  const pid = () => pidOf(system, 'cases');
  const restarted = (before: number) =>
    waitFor(
      () =>
        pid() !== before &&
        fetch(`${system.dev().gateway_url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      {
        ...patience,
        what: 'the restart',
      },
    );

  async function newCase(userId: number): Promise<Tracked> {
    const receipt = newReceipt();
    await setReceipt(system.dev(), receipt, received);
    return { receipt, id: (await partner.newCase(userId, receipt)).id };
  }

  /** The mails and calls about a case, once it is told. */
  async function told(email: string, hook: string, { id, receipt }: Tracked) {
    const update = await waitFor(
      async () => {
        const { status_updates } = await readCase(partner.call, id);
        return (
          status_updates.length === 2 &&
          status_updates[0]?.email_notify_status !== 'pending' &&
          status_updates[0]
        );
      },
      { ...patience, what: `the change of case ${id}` },
    );
    const calls = await waitFor(
      async () => {
        const ours = (await hooksOf(system.dev(), hook)).filter(({ body }) => caseOfEvent(body) === id);
        return ours.length > 0 && ours;
      },
      { ...patience, what: `the webhook of case ${id}` },
    );
    const mails = (await mailsTo(system.dev(), email)).filter(({ subject }) =>
      subject.endsWith(receipt.slice(-4)),
    );
    return {
      update,
      calls: new Set(calls.map(({ headers }) => headers['webhook-id'])).size,
      mails: new Set(mails.map(({ headers }) => headers['message-id'])).size,
    };
  }

  it('is one process, and does the main job: sign-in, case, change, mail, webhook', async () => {
    const { services } = system.dev();
    expect(new Set(Object.values(services).map(({ pid }) => pid)).size).toBe(1);
    const hook = `one-${randomUUID()}`;
    await partner.newWebhook(hook);
    const user = await partner.verifiedUser();
    const tracked = await newCase(user.id);
    expect(await signIn(system.dev(), user.email)).toEqual(
      expect.objectContaining({ access_token: expect.any(String) }),
    );
    await setReceipt(system.dev(), tracked.receipt, approved);
    const { update, calls, mails } = await told(user.email, hook, tracked);
    expect([update.status_code, update.email_notify_status, calls, mails]).toEqual([
      'Case Was Approved',
      expect.stringMatching(/sent|delivered/),
      1,
      1,
    ]);
  });

  it('has the metrics of each service under its name, and of the process once', async () => {
    const read = async (url: string) => await (await fetch(url)).text();
    const texts = await Promise.all(
      Object.entries(system.dev().metrics_urls).map(async ([name, url]) => [name, await read(url)] as const),
    );
    for (const [name, text] of texts) {
      expect(text).toContain(`service_name="${name}"`);
      expect(text).toMatch(/^dependency_up\{.*dependency="nats".*\} 1$/m);
    }
    const measuring = texts.filter(([, text]) => text.includes('nodejs_eventloop_utilization'));
    expect(measuring.map(([name]) => name)).toEqual(['gateway']);
  });

  it('loses nothing and tells nobody twice when it is killed in the middle of changes', async () => {
    const hook = `one-${randomUUID()}`;
    await partner.newWebhook(hook);
    const user = await partner.verifiedUser();
    const cases: Tracked[] = [];
    for (let i = 0; i < 10; i++) cases.push(await newCase(user.id));
    const before = pid();
    for (const [i, { receipt }] of cases.entries()) {
      await setReceipt(system.dev(), receipt, approved);
      if (i === 5) process.kill(before, 'SIGKILL');
    }
    await restarted(before);
    for (const tracked of cases) {
      const { update, calls, mails } = await told(user.email, hook, tracked);
      expect([tracked.id, update.status_code, calls, mails]).toEqual([tracked.id, 'Case Was Approved', 1, 1]);
    }
  });

  it('answers every request that it has accepted, when it is told to stop under load', async () => {
    const user = await partner.verifiedUser();
    const before = pid();
    const answers: number[] = [];
    const cut: string[] = [];
    const stored: string[] = [];
    let isStopping = false;
    // Like a proxy, a worker opens no connection to a process whose answers close theirs.
    const work = async () => {
      while (!isStopping) {
        const receipt = newReceipt();
        await setReceipt(system.dev(), receipt, received);
        try {
          const response = await fetch(`${system.dev().gateway_url}/v1/client/users/${user.id}/cases`, {
            method: 'POST',
            headers: {
              ...partner.headers,
              'content-type': 'application/json',
              'idempotency-key': randomUUID(),
            },
            body: JSON.stringify({ receipt_number: receipt, uscis_access_acknowledged: true }),
          });
          const body = (await response.json()) as { case?: { id: number } };
          answers.push(response.status);
          if (response.status === 201) stored.push(String(body.case?.id));
          if (response.headers.get('connection') === 'close') return;
        } catch (error) {
          cut.push(String((error as Error).cause ?? error));
        }
        if (answers.length === 2 * workers) process.kill(before, 'SIGTERM');
        if (answers.length > 45) isStopping = true;
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    await restarted(before);
    expect({ cut, other: answers.filter((status) => status !== 201) }).toEqual({ cut: [], other: [] });
    expect(answers.length).toBeGreaterThan(2 * workers);
    for (const id of stored) expect((await readCase(partner.call, Number(id))).update_count).toBe(1);
    expect(new Set(stored).size).toBe(stored.length);
  });
});
