import { email, type EventData } from '@casewatch/contracts';
import type { Context } from '../context.ts';
import type { ImportItem, ImportRow, Result } from '../store/imports.ts';
import type { Cells } from './columns.ts';

// The cells of a refused row are kept for a week, to be corrected. Whose they are is known by the address alone: so each such row
// notes its person, and the person's erasure (cases/people.ts) takes the cells too.

type Row = { import: ImportRow; item: Pick<ImportItem, '_id' | 'payload'> };

/**
 * A refused result with the person who has the address of the row.
 * @throws ApiError service_unavailable: the row waits
 */
export async function withOwner(ctx: Context, { import: row, item }: Row, result: Result): Promise<Result> {
  if (result.outcome !== 'refused') return result;
  if (result.code === 'user_not_found') return { ...result, user_id: null };
  if (result.user_id !== null || item.payload === null) return result;
  const { data: address } = email.safeParse(cellsOf(ctx, item).email ?? '');
  return address === undefined ? result : { ...result, user_id: await personAt(ctx, row, item._id, address) };
}

function cellsOf(ctx: Context, { _id, payload }: Row['item']): Cells {
  return payload === null ? {} : ctx.importSecrets.open(payload, _id);
}

/** Only the address is asked about. */
async function personAt(
  ctx: Context,
  { partner_id, actor }: ImportRow,
  itemId: string,
  address: string,
): Promise<number | null> {
  const rest = { phone: null, preferred_language: null, notify_by_email: null, notify_by_whatsapp: null };
  const { user_id } = await ctx.bus.request('identity.upsert_person', {
    partner_id,
    actor: { key_id: actor.key_id, staff_id: actor.staff_id },
    key: `import:${itemId}`,
    person: { email: address, name: '?', ...rest },
    earlier: [],
    writes: false,
    expected: null,
    send_verification: false,
  });
  return user_id;
}

/** Whom an erasure met between the question and the answer: it has passed the row, or sees it. Call it after the row is stored. */
export async function eraseIfErased(ctx: Context, results: readonly Result[]): Promise<void> {
  const ids = new Set(results.flatMap(({ outcome, user_id }) => (outcome === 'refused' && user_id) || []));
  for (const id of ids) {
    const state = await ctx.stores.userStates.find(id);
    if (state?.deleted) await ctx.stores.imports.erasePerson(id);
  }
}

/** Somebody who is new, or has another address: refused rows may be theirs. */
export function ownRefusedRows(ctx: Context) {
  return async ({ user_id, partner_id }: Pick<EventData<'user.updated'>, 'user_id' | 'partner_id'>) => {
    if (partner_id === null || !(await ctx.stores.imports.hasUnowned(partner_id))) return;
    const person = await ctx.identity.findUser(user_id, ['email']);
    if (person === null) return;
    await ctx.stores.imports.own(partner_id, ctx.importSecrets.personOf(person.email), user_id);
  };
}
