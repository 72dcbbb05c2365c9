import { readPrivateJson, writePrivateJson } from '../private-file.ts';
import { DEMO_HOOK } from './demo-data.ts';
import { expectStatus, type PartnerApi } from './partner-api.ts';
import type { SeedOptions } from './seed-options.ts';

interface Endpoint {
  id: number;
  url: string;
}

/** A secret is shown once, at creation, and the receiver forgets it with its process: so it is kept here. */
type Kept = { webhook_secrets: Record<string, string> };

/** An endpoint of the demo partner at the webhook receiver, which is told the secret so that it checks signatures. */
export async function seedWebhook(api: PartnerApi, { addresses, data }: SeedOptions): Promise<void> {
  const url = `${addresses.receiver_url}/hooks/${DEMO_HOOK}`;
  const kept = readPrivateJson<Kept>(data.seed)?.webhook_secrets ?? {};
  const { webhooks } = expectStatus(
    'list webhooks',
    await api<{ webhooks: Endpoint[] }>('GET', '/webhooks?limit=100'),
    200,
  );
  const existing = webhooks.find((endpoint) => endpoint.url === url);
  const known = existing === undefined ? undefined : kept[existing.id];
  if (known !== undefined) return await tellReceiver(addresses.receiver_url, known);

  // Its secret is lost (the file was deleted): a new endpoint takes its place.
  if (existing !== undefined) {
    expectStatus('delete the old demo webhook', await api('DELETE', `/webhooks/${existing.id}`), 200, 404);
  }
  const answer = await api<{ webhook: Endpoint & { secret: string } }>('POST', '/webhooks', {
    url,
    events: ['*'],
    description: 'Demo endpoint at the webhook receiver',
  });
  const { webhook } = expectStatus('create the demo webhook', answer, 201);
  writePrivateJson(data.seed, { webhook_secrets: { ...kept, [webhook.id]: webhook.secret } });
  await tellReceiver(addresses.receiver_url, webhook.secret);
}

async function tellReceiver(receiverUrl: string, secret: string): Promise<void> {
  const response = await fetch(`${receiverUrl}/sandbox/hooks/${DEMO_HOOK}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  });
  if (!response.ok) throw new Error(`tell the webhook receiver the secret: ${response.status}`);
}
