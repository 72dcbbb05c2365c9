import { tell } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { noId } from './stand-ins.ts';
import type { Row, Story } from './story.ts';

const webhooks = '/v1/webhooks';

/** @returns the path of the endpoint that stays */
export async function webhookEndpoints({ dev, recorder, byFirm, setUp }: Story): Promise<string> {
  const { shows, fails } = recorder;
  const url = `${dev.receiver_url}/hooks/examples`;
  const body = { url, events: ['case.created', 'case.status_updated'], description: 'Production' };
  const { webhook } = await shows('create_webhook', byFirm(webhooks, body));
  const first = `${webhooks}/${(webhook as Row).id}`;
  const internal = { ...body, url: 'https://10.0.0.1/casewatch' };
  await fails('create_webhook', 'webhook_url_not_allowed', byFirm(webhooks, internal));
  await shows('get_webhook', byFirm(first));
  await fails('get_webhook', 'webhook_not_found', byFirm(`${webhooks}/${noId}`));
  await shows('list_webhooks', byFirm(webhooks));
  await shows('test_webhook', byFirm(`${first}/test`, {}));
  await shows('rotate_webhook_secret', byFirm(`${first}/rotate-secret`, { overlap_seconds: 86_400 }));
  const created = await setUp<{ webhook: Row }>('POST', webhooks, body);
  const second = `${webhooks}/${created.webhook.id}`;
  await shows('update_webhook', byFirm(second, { active: false }));
  await shows('delete_webhook', byFirm(second));
  for (let count = 1; count < 20; count++) await setUp('POST', webhooks, { ...body, active: false });
  await fails('create_webhook', 'webhook_limit_reached', byFirm(webhooks, body));
  return first;
}

type Delivery = { id: string; status: string; payload: object | null };

/** @returns the path of a delivery about a case of the first client */
export async function deliveries(story: Story, webhook: string): Promise<string> {
  const { dev, recorder, byFirm, setUp } = story;
  const { shows, fails } = recorder;
  const list = `${webhook}/deliveries?event=case.created`;
  await waitFor(areDelivered, { what: 'the deliveries' });
  const shown = await shows('list_deliveries', byFirm(`${list}&limit=1`));
  const [newest] = shown.deliveries as Delivery[];
  const path = `${webhook}/deliveries/${newest?.id}`;
  await shows('get_delivery', byFirm(path));
  await fails('get_delivery', 'delivery_not_found', byFirm(`${webhook}/deliveries/evt_none`));
  const hook = `${dev.receiver_url}/sandbox/hooks/examples`;
  await tell(hook, { delay_ms: 4_000 });
  await shows('redeliver', byFirm(`${path}/redeliver`));
  await waitFor(async () => (await read()).status === 'sending', { what: 'the attempt' });
  await fails('redeliver', 'delivery_in_progress', byFirm(`${path}/redeliver`));
  await tell(hook, { delay_ms: 0 });
  await shows('list_event_types', byFirm(`${webhooks}/event-types`), onlyFirst);
  const events = '/v1/events?type=case.created&limit=1';
  // All events of the story: then the first page always has a next one.
  const areListed = async () => (await setUp<{ has_more: boolean }>('GET', events)).has_more;
  await waitFor(areListed, { timeoutMs: 30_000, what: 'the events' });
  await shows('list_events', byFirm(events));
  await waitFor(async () => (await read()).status === 'delivered', { what: 'the end of the attempt' });
  return path;

  async function areDelivered(): Promise<boolean> {
    const { deliveries: rows } = await setUp<{ deliveries: Delivery[] }>('GET', list);
    return rows.length === 3 && rows.every(({ status }) => status === 'delivered');
  }

  async function read(): Promise<Delivery> {
    return (await setUp<{ delivery: Delivery }>('GET', path)).delivery;
  }
}

function onlyFirst(body: unknown): unknown {
  return { event_types: (body as { event_types: object[] }).event_types.slice(0, 1) };
}

export async function replays({ recorder, byFirm, setUp }: Story, webhook: string): Promise<void> {
  const { shows, fails } = recorder;
  const body = { since: new Date(Date.now() - 3_600_000).toISOString(), status: 'failed' };
  const started = await shows('replay_events', byFirm(`${webhook}/replay`, body));
  await fails('replay_events', 'replay_in_progress', byFirm(`${webhook}/replay`, body));
  const path = `${webhook}/tasks/${(started.task as Row).id}`;
  const read = async () => (await setUp<{ task: { status: string } }>('GET', path)).task.status;
  await waitFor(async () => (await read()) === 'completed', { timeoutMs: 60_000, what: 'the replay' });
  await shows('get_replay', byFirm(path));
  await fails('get_replay', 'task_not_found', byFirm(`${webhook}/tasks/${noId}`));
  await shows('cancel_replay', byFirm(path));
}

/** After the deletion of the client. */
export async function deletedEvent({ recorder, byFirm, setUp }: Story, delivery: string): Promise<void> {
  const read = async () => (await setUp<{ delivery: Delivery }>('GET', delivery)).delivery.payload;
  await waitFor(async () => (await read()) === null, { what: 'the deletion of the event' });
  await recorder.fails('redeliver', 'event_deleted', byFirm(`${delivery}/redeliver`));
}
