import { ApiError, actedFor, defineCommand, RefusedError } from '@casewatch/platform';
import { z } from 'zod';
import { newReplay, storeReplay } from '../changes/new-replay.ts';
import { activated, updateEndpoint } from '../changes/update-endpoint.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import type { AdminContext } from './admin-context.ts';

const endpoint = z.coerce.number().pipe(z.int().min(1));

/** As the owner's switch: nothing is sent until someone enables it, and later events do not wait for it. */
export const disable = defineCommand({
  words: 'disable',
  options: z.strictObject({ endpoint }),
  form: '--endpoint 5',
  async run(admin: AdminContext, { endpoint: id }) {
    const { active } = await find(admin, id);
    if (active) await change(admin, id, { active: false });
    return {
      json: { endpoint: id, active: false, changed: active },
      lines: [active ? `Endpoint ${id} is disabled.` : `Endpoint ${id} was disabled already.`],
    };
  },
});

export const enable = defineCommand({
  words: 'enable',
  options: z.strictObject({ endpoint }),
  form: '--endpoint 5',
  async run(admin: AdminContext, { endpoint: id }) {
    const { active } = await find(admin, id);
    if (!active) await change(admin, id, activated);
    return {
      json: { endpoint: id, active: true, changed: !active },
      lines: [active ? `Endpoint ${id} was enabled already.` : `Endpoint ${id} is enabled.`],
    };
  },
});

export const replay = defineCommand({
  words: 'replay',
  options: z.strictObject({
    endpoint,
    since: z.iso
      .datetime({ offset: true, error: 'is a time such as 2026-11-23T10:00:00Z' })
      .transform((text) => new Date(text)),
    all: z.boolean().default(false),
  }),
  form: '--endpoint 5 --since 2026-11-23T10:00:00Z [--all]',
  async run(admin: AdminContext, { endpoint: id, since, all }) {
    const { active } = await find(admin, id);
    if (!active)
      throw new RefusedError(`Endpoint ${id} is disabled: run \`webhooks enable --endpoint ${id}\` first.`);
    const row = await newReplay(admin, id, { since, status: all ? 'all' : 'failed' }).catch(refused);
    await storeReplay(admin, row).catch(refused);
    const what = all ? 'All stored events' : 'The failed deliveries';
    return {
      json: { endpoint: id, task: row._id, since: row.since, until: row.until },
      lines: [
        `${what} since ${row.since.toISOString()} are sent to endpoint ${id} again, as task ${row._id}.`,
      ],
    };
  },
});

async function find({ stores }: AdminContext, id: number): Promise<WebhookRow> {
  const [row] = await stores.webhooks.findAll([id]);
  if (!row) throw new RefusedError(`There is no endpoint ${id}.`);
  actedFor(row.partner_id);
  return row;
}

/** The running replicas read each endpoint anew at least once a second. */
async function change(admin: AdminContext, id: number, fields: Partial<WebhookRow>): Promise<void> {
  const { partner_id } = await find(admin, id);
  const changed = { updated_at: admin.clock.now(), ...fields };
  if (!(await updateEndpoint(admin, partner_id, { id, change: changed })))
    throw new RefusedError(`There is no endpoint ${id}.`);
}

function refused(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const faults = (error.options.faults ?? []).map(
    ({ pointer, message }) => `${pointer?.replace('#/', '--')} ${message}`,
  );
  throw new RefusedError(faults.length > 0 ? faults.join('; ') : error.message);
}
