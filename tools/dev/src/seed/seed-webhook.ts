import { expectStatus, type Partner, tell } from '@casewatch/driver';
import { readPrivateJson, writePrivateJson } from '../private-file.ts';
import { DEMO_HOOK } from './demo-data.ts';
import type { SeedOptions } from './seed-options.ts';

interface Endpoint {
  id: number;
  url: string;
}

/** A secret is shown once, at creation, and the receiver forgets it with its process: so it is kept here. */
type Kept = { webhook_secrets: Record<string, string> };

/** An endpoint of the demo partner at the webhook receiver, which is told the secret so that it checks signatures. */
export async function seedWebhook(partner: Partner, { addresses, data }: SeedOptions): Promise<void> {
  const remember = (secret: string) =>
    tell(`${addresses.receiver_url}/sandbox/hooks/${DEMO_HOOK}`, { secret });
  const url = `${addresses.receiver_url}/hooks/${DEMO_HOOK}`;
  const kept = readPrivateJson<Kept>(data.seed)?.webhook_secrets ?? {};
  const { webhooks } = expectStatus(
    'list webhooks',
    await partner.call<{ webhooks: Endpoint[] }>('GET', '/v1/webhooks?limit=100'),
    200,
  );
  const existing = webhooks.find((endpoint) => endpoint.url === url);
  const known = existing === undefined ? undefined : kept[existing.id];
  if (known !== undefined) {
    await remember(known);
    return;
  }

  // Its secret is lost (the file was deleted): a new endpoint takes its place.
  if (existing !== undefined) {
    expectStatus(
      'delete the old demo webhook',
      await partner.call('DELETE', `/v1/webhooks/${existing.id}`),
      200,
      404,
    );
  }
  const made = await partner.call<{ webhook: Endpoint & { secret: string } }>('POST', '/v1/webhooks', {
    url,
    events: ['*'],
    description: 'Demo endpoint at the webhook receiver',
  });
  const { webhook } = expectStatus('create the demo webhook', made, 201);
  writePrivateJson(data.seed, { webhook_secrets: { ...kept, [webhook.id]: webhook.secret } });
  await remember(webhook.secret);
}
