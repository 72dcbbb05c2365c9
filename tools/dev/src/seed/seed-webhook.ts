import { expectStatus, type Partner, tell } from '@casewatch/driver';
import { readPrivateJson, writePrivateJson } from '../private-file.ts';
import { DEMO_HOOK, type SeedOptions } from './demo-data.ts';

interface Endpoint {
  id: number;
  url: string;
}

/** The API shows a secret once, and the receiver keeps it in memory only. */
type SeedFile = { webhook_secrets: Record<string, string> };

/** Creates the demo endpoint, and gives its secret to the receiver, which checks signatures. */
export async function seedWebhook(partner: Partner, { addresses, data }: SeedOptions): Promise<void> {
  const giveToReceiver = (secret: string) =>
    tell(`${addresses.receiver_url}/sandbox/hooks/${DEMO_HOOK}`, { secret });
  const url = `${addresses.receiver_url}/hooks/${DEMO_HOOK}`;
  const secrets = readPrivateJson<SeedFile>(data.seed)?.webhook_secrets ?? {};
  const { webhooks } = expectStatus(
    'list webhooks',
    await partner.call<{ webhooks: Endpoint[] }>('GET', '/v1/webhooks?limit=100'),
    200,
  );
  const existing = webhooks.find((endpoint) => endpoint.url === url);
  const knownSecret = existing === undefined ? undefined : secrets[existing.id];
  if (knownSecret !== undefined) {
    await giveToReceiver(knownSecret);
    return;
  }

  // Without its secret the endpoint is useless.
  if (existing !== undefined) {
    expectStatus(
      'delete the old demo webhook',
      await partner.call('DELETE', `/v1/webhooks/${existing.id}`),
      200,
      404,
    );
  }
  const answer = await partner.call<{ webhook: Endpoint & { secret: string } }>('POST', '/v1/webhooks', {
    url,
    events: ['*'],
    description: 'Demo endpoint at the webhook receiver',
  });
  const { webhook } = expectStatus('create the demo webhook', answer, 201);
  writePrivateJson(data.seed, { webhook_secrets: { ...secrets, [webhook.id]: webhook.secret } });
  await giveToReceiver(webhook.secret);
}
