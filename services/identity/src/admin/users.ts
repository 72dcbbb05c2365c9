import { type EventData, erasureRecorded, idText } from '@casewatch/contracts';
import type { Command } from '@casewatch/platform';
import { actedFor } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { z } from 'zod';
import { changeUser, eraseUser } from '../changes/change-user.ts';
import { endSessionsOf } from '../changes/end-sessions.ts';
import { eraseAgain } from '../changes/erase-again.ts';
import type { User } from '../domain/user.ts';
import type { AdminContext } from './admin-context.ts';
import { command, refuseMissing } from './command.ts';

export const userSuspend = setStatus('user suspend', { status: 'suspended', suspended_by: 'operator' });

export const userReactivate = setStatus('user reactivate', { status: 'active', suspended_by: null });

function setStatus(words: string, set: Pick<User, 'status' | 'suspended_by'>): Command<AdminContext> {
  return command({
    words,
    form: '--user 1',
    options: z.strictObject({ user: idText }),
    async run(ctx, { user: id }) {
      await transaction(ctx.db, async (tx) => {
        const user = refuseMissing(await ctx.stores.users.find(id, tx), 'user', id);
        if (user.status === set.status && user.suspended_by === set.suspended_by) return;
        actedFor(user.partner_id);
        await changeUser(ctx, tx, { user, set });
        if (set.status === 'suspended') await endSessionsOf(ctx, tx, id);
      });
      return { json: { user: { id, status: set.status } }, lines: [`User ${id} is ${set.status}.`] };
    },
  });
}

const idList = z
  .string()
  .regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/, 'must be user ids with commas between them, such as 7,8')
  .transform((text) => text.split(',').map(Number));

/** Erases users here, and in the other services by event. Unknown ids are reported. */
export const userDelete = command({
  words: 'user delete',
  form: '--users 1,2',
  options: z.strictObject({ users: idList }),
  async run(ctx, { users }) {
    const deleted: number[] = [];
    for (const id of users) if (await erase(ctx, id)) deleted.push(id);
    const unknown = users.filter((id) => !deleted.includes(id));
    return {
      json: { deleted, unknown },
      lines: [`Deleted: ${deleted.join(', ') || 'none'}. Unknown users: ${unknown.join(', ') || 'none'}.`],
    };
  },
});

async function erase(ctx: AdminContext, id: number): Promise<boolean> {
  return await transaction(ctx.db, async (tx) => {
    const user = await ctx.stores.users.find(id, tx);
    actedFor(user?.partner_id ?? null);
    if (user) await eraseUser(ctx, tx, user);
    return user !== null;
  });
}

const erasures = z.string().transform((text, check): EventData<'erasure.recorded'>[] => {
  const { data } = z.array(erasureRecorded).safeParse(jsonOf(text));
  if (data) return data;
  check.addIssue(
    'must be the content of erased-users.json: [{"user_id":7,"partner_id":null,"erased_at":"…Z"}, …]',
  );
  return z.NEVER;
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** After a restore: erases users who were erased since the backup, and records the erasures for the other services. */
export const userEraseAgain = command({
  words: 'user erase-again',
  form: `--erasures '[{"user_id":7,"partner_id":null,"erased_at":"2026-11-27T10:00:00.000Z"}]'`,
  options: z.strictObject({ erasures }),
  async run(ctx, { erasures }) {
    const erased: number[] = [];
    for (const erasure of erasures) if (await eraseAgain(ctx, erasure)) erased.push(erasure.user_id);
    return {
      json: { erased, recorded: erasures.length },
      lines: [`Recorded: ${erasures.length}. Erased again: ${erased.join(', ') || 'none'}.`],
    };
  },
});
