import {
  type RequestInput,
  type RequestName,
  requests,
  type SendRequest,
  type ServiceName,
  sendRequest,
  serviceNames,
} from '@casewatch/contracts';
import { connectAs, type Sibling, startSibling } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
const kinds = sendRequest.options.map(({ shape }) => shape.kind.value);

describe('mails that services ask for', () => {
  let notifier: TestNotifier;
  let webhooks: Sibling<'webhooks'>;
  beforeAll(async () => {
    notifier = await startTestNotifier();
    webhooks = await startSibling('webhooks', notifier.nats);
    // The mail server takes none: the rows stay as they were stored.
    await notifier.mailFault({ mode: 'greylist' });
  });
  afterAll(async () => {
    await webhooks.stop();
    await notifier.stop();
  });

  function aMail(kind: SendRequest['kind'], id: string): SendRequest {
    const common = { message_id: id, to: 'asked@example.org', language: 'en', expires_at: inAnHour } as const;
    if (kind === 'login_code') return { ...common, kind, code: '042137' };
    if (kind === 'address_taken') return { ...common, kind, user_id: 7 };
    return { ...common, kind, link: `${notifier.publicUrl}/v1/users/verify-email?token=x`, user_id: 7 };
  }

  function aNotice(id: string): RequestInput<'notifier.endpoint_failing'> {
    return {
      message_id: id,
      to: 'office@example.org',
      language: 'en',
      expires_at: inAnHour,
      stage: 'half',
      webhook_id: 12,
      host: 'hooks.example.org',
      description: 'Case manager',
      failing_since: '2026-11-16T09:30:00.000Z',
      disabled_at: '2026-11-21T09:30:00.000Z',
      error: 'http_503',
    };
  }

  async function kindOf(id: string): Promise<string | undefined> {
    return (await notifier.db.collection<{ _id: string; kind: string }>('mails').findOne({ _id: id }))?.kind;
  }

  /** Whether the bus refuses what a service says with its own credentials. */
  async function isRefused(service: ServiceName, name: RequestName, body: object): Promise<boolean> {
    const { connection, stop } = await connectAs(notifier.nats, service);
    const refusals = (async () => {
      for await (const status of connection.status())
        if (status.type === 'error' && status.error.name === 'PermissionViolationError')
          return (status.error as Error & { subject?: string }).subject;
      return null;
    })();
    connection.publish(name, JSON.stringify(body), { reply: `_INBOX_${service}.notifier.0` });
    await connection.flush();
    await stop();
    return (await refusals) === name;
  }

  it.each(kinds)('are identity’s and no other service’s: %s', async (kind) => {
    const id = `${kind}-0001`;
    const others = serviceNames.filter((service) => service !== 'identity' && service !== 'notifier');
    for (const service of others)
      expect([service, await isRefused(service, 'notifier.send', aMail(kind, id))]).toEqual([service, true]);
    expect(await kindOf(id)).toBeUndefined();
    expect(await notifier.identity.bus.request('notifier.send', aMail(kind, id))).toEqual({ accepted: true });
    expect(await kindOf(id)).toBe(kind);
  });

  it('to members of staff are identity’s and no other service’s, and lead to our pages', async () => {
    const mail = (id: string, link: string) =>
      ({
        message_id: id,
        to: 'member@example.org',
        language: 'en',
        expires_at: inAnHour,
        kind: 'staff_invitation',
        link,
        staff_id: 7,
      }) as const;
    const ours = mail('invitation-0001', `${notifier.publicUrl}/console/invitation?token=x`);
    for (const service of ['gateway', 'cases', 'monitor', 'webhooks'] as const)
      expect([service, await isRefused(service, 'notifier.staff_mail', ours)]).toEqual([service, true]);
    const foreign = mail('invitation-0002', 'https://evil.example/console/invitation?token=x');
    const ask = (request: typeof ours) => notifier.identity.bus.request('notifier.staff_mail', request);
    await expect(ask(foreign)).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await ask(ours)).toEqual({ accepted: true });
    expect([await kindOf('invitation-0001'), await kindOf('invitation-0002')]).toEqual([
      'staff_invitation',
      undefined,
    ]);
  });

  it('about a failing endpoint are webhooks’ and no other service’s', async () => {
    const id = 'endpoint-0001';
    for (const service of ['identity', 'gateway', 'cases', 'monitor'] as const)
      expect(await isRefused(service, 'notifier.endpoint_failing', aNotice(id))).toBe(true);
    const asked = { ...aNotice(id), kind: 'endpoint_failing' } as unknown as SendRequest;
    await expect(notifier.identity.bus.request('notifier.send', asked)).rejects.toThrow();
    expect(await kindOf(id)).toBeUndefined();
    expect(await webhooks.bus.request('notifier.endpoint_failing', aNotice(id))).toEqual({ accepted: true });
    expect(await kindOf(id)).toBe('endpoint_failing');
  });

  /** Past the schema of the asker's own side: what somebody with webhooks' password can say. */
  async function ask(body: object): Promise<{ ok: boolean }> {
    const reply = `_INBOX_webhooks.notifier.${crypto.randomUUID()}`;
    const { connection } = webhooks.bus;
    const options = { timeout: 10_000, noMux: true, reply };
    const answer = await connection.request('notifier.endpoint_failing', JSON.stringify(body), options);
    return answer.json();
  }

  it.each(kinds)('of webhooks are about an endpoint, whatever their body adds: %s', async (kind) => {
    const id = `endpoint-as-${kind}`;
    expect(await ask({ ...aMail(kind, id), ...aNotice(id), kind })).toMatchObject({ ok: true });
    expect(await kindOf(id)).toBe('endpoint_failing');
    expect(await ask(aMail(kind, `${id}-alone`))).toMatchObject({ ok: false });
    expect(await kindOf(`${id}-alone`)).toBeUndefined();
  });

  it.each(['login-00001', 'verify-0001', 'ENDPOINT-001', 'undo-endpoint-1'])(
    'of webhooks take the place of no mail of identity: id %s',
    async (id) => {
      expect(await ask(aNotice(id))).toMatchObject({ ok: false });
      await notifier.identity.bus.request('notifier.send', aMail('login_code', id));
      expect(await kindOf(id)).toBe('login_code');
    },
  );

  it('have one asker each in the registry', () => {
    const askers = (name: RequestName) => requests[name].askers;
    expect([
      askers('notifier.send'),
      askers('notifier.staff_mail'),
      askers('notifier.reply_to_mail'),
      askers('notifier.arrival_mail'),
      askers('notifier.deletion_mail'),
      askers('notifier.endpoint_failing'),
    ]).toEqual([['identity'], ['identity'], ['identity'], ['identity'], ['identity'], ['webhooks']]);
  });
});
