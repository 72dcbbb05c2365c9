import type { ImportedPerson, ReplyData } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import {
  assertActive,
  assertWithinLimit,
  assertWithinPartnerLimit,
  change,
  deferredCheck,
  insertNewCase,
  type LimitedPartner,
  prepareNewCase,
  reserveCaseSlot,
  stateOf,
  transactionInTurn,
} from '../cases/index.ts';
import type { Context } from '../context.ts';
import { newerState } from '../rules/watching.ts';
import type { ImportItem, ImportRow, Result } from '../store/imports.ts';
import { checkRow, type ImportedRow } from './check-row.ts';
import { decideCase, type RowMember } from './decide-case.ts';
import { eraseIfErased, withOwner } from './row-owner.ts';
import { networkOfImport, recordRow } from './row-record.ts';

type Reply = ReplyData<'identity.upsert_person'>;

/** Members of the partner who can be named in a file, by their address in lower case. */
export type Members = ReadonlyMap<string, RowMember>;

/** `partner`: if it has a limit of its own. */
export type Importing = {
  import: ImportRow;
  item: ImportItem;
  members: Members;
  partner: LimitedPartner | null;
};

/** A row that passed `checkRow`, with its member. */
export type ReadRow = { row: ImportedRow; member: RowMember | null };

const nothing = { code: null, message: null, user_id: null, case_id: null };

/** How often a row asks again because the person changed while it was imported. */
const maxTries = 5;

/**
 * Imports one row, whole or not at all; may be repeated after a kill at any point. First everything that can refuse it is asked. A
 * person who exists gets the case first, which is the only step that can still be refused, and then what is empty; a new person
 * is made first, because nobody can refuse anything of somebody new. Each step is done once: identity keeps its answer under the
 * key of the row, and the case is written in the transaction that notes it at the row.
 * @throws ApiError service_unavailable: nothing is decided, and the row waits
 */
export async function importRow(ctx: Context, importing: Importing): Promise<void> {
  const read = readRow(ctx, importing);
  if ('outcome' in read) return await finish(ctx, importing, read);
  for (let tries = 0; tries < maxTries; tries += 1) if (await attempt(ctx, importing, read)) return;
  throw new ApiError('service_unavailable', { detail: 'the person of an imported row kept changing' });
}

/** What the cells alone say. */
export function readRow(ctx: Context, { item, members }: Importing): ReadRow | Result {
  // A row whose cells could not be read; it waits for the question whose it is.
  if (item.code !== null) return refusedBy({ code: item.code, message: item.message ?? '' });
  const { row, refusal } = checkRow(ctx.importSecrets.open(item.payload ?? '', item._id));
  if (refusal !== null) return refusedBy(refusal);
  if (row.assignee_email === null) return { row, member: null };
  const member = members.get(row.assignee_email);
  if (member) return { row, member };
  return refusedBy({ code: 'staff_not_found', message: 'assignee_email names nobody of your staff.' });
}

export function refusedBy({ code, message }: { code: string; message: string }): Result {
  return { ...nothing, outcome: 'refused', code, message };
}

/** A refusal by identity. */
export function refusedPerson({ code, message }: Pick<Reply, 'code' | 'message'>): Result {
  return refusedBy({
    code: code ?? 'validation_failed',
    message: message ?? 'The person of the row cannot be imported.',
  });
}

/** A refusal by a rule; everything else is thrown on, and the row waits. */
export function refusalBy(error: unknown): Result {
  if (error instanceof ApiError && error.status < 500 && error.status !== 429) return refusedBy(error);
  throw error;
}

/** False if the person changed meanwhile. */
async function attempt(ctx: Context, importing: Importing, read: ReadRow): Promise<boolean> {
  const { item } = importing;
  const asked = await askPerson(ctx, importing, read.row, []);
  if (asked.outcome === 'refused') {
    await finish(ctx, importing, refusedPerson(asked));
    return true;
  }
  if (asked.user_id === null) {
    // Nobody is made for a case that cannot be made.
    const refusal = await refusalOfNewCase(ctx, importing, read);
    if (refusal !== null) {
      await finish(ctx, importing, refusal);
      return true;
    }
    if (!item.begun) await ctx.capacity.assertCapacity();
    if (!(await ctx.stores.imports.noteBegun(item._id))) throw new RowIsDone();
    item.begun = true;
    const made = await writePerson(ctx, importing, read.row, null);
    if (made.outcome === 'refused') {
      // A partner that is suspended or being deleted: asked again, the answer is the same.
      await finish(ctx, importing, refusedPerson(made));
      return true;
    }
    if (made.outcome === 'changed' || made.user_id === null) return false;
    const result = await writeCase(ctx, importing, {
      read,
      person: made,
      userId: made.user_id,
      isLast: true,
    });
    if (result.outcome === 'refused') await finish(ctx, importing, { ...result, user_id: made.user_id });
    return true;
  }
  const fills = asked.outcome === 'updated';
  const userId = asked.user_id;
  if (item.done_case === null) {
    const result = await writeCase(ctx, importing, { read, person: asked, userId, isLast: !fills });
    // Who the person is stays with it: their erasure takes its cells too.
    if (result.outcome === 'refused') await finish(ctx, importing, { ...result, user_id: userId });
    if (result.outcome === 'refused' || !fills) return true;
    item.done_case = { outcome: result.outcome };
    item.case_id = result.case_id;
  }
  // Who changed meanwhile keeps what is there now; the case is theirs all the same.
  const filled = fills ? await writePerson(ctx, importing, read.row, userId) : asked;
  const changedPerson = filled.outcome === 'updated' || filled.outcome === 'created';
  const { outcome } = item.done_case;
  await finish(ctx, importing, {
    ...warningOf(asked),
    outcome: outcome === 'unchanged' && changedPerson ? 'updated' : outcome,
    user_id: userId,
    case_id: item.case_id,
  });
  return true;
}

/** What refuses the first case of somebody new. */
async function refusalOfNewCase(
  ctx: Context,
  { partner }: Importing,
  { row, member }: ReadRow,
): Promise<Result | null> {
  try {
    decideCase({ cases: [], isFirst: true }, row, member);
    await assertWithinPartnerLimit(ctx, partner);
    return null;
  } catch (error) {
    return refusalBy(error);
  }
}

type CaseOfRow = {
  read: ReadRow;
  person: Reply;
  userId: number;
  /** The row is done with its case; otherwise the person is next. */
  isLast: boolean;
};

/** The case with its acknowledgement, event and the result at the row, in one transaction. Refused: nothing is written. */
async function writeCase(ctx: Context, importing: Importing, of: CaseOfRow): Promise<Result> {
  const { item, partner } = importing;
  const { read, person, userId, isLast } = of;
  const { row, member } = read;
  const user = { id: userId, status: person.status, version: person.version };
  const prepared = await prepareNewCase(ctx, newCaseOf(importing, of));
  const slot = { userId, receiptNumber: row.receipt_number, partner };
  try {
    // It was asked before somebody new was made.
    if (!item.begun) await assertCapacityFor(ctx, importing, of);
    return await transactionInTurn(ctx, slot, async (session) => {
      const cases = await ctx.stores.cases.ofReceipt(userId, row.receipt_number, session);
      const ids = cases.map(({ _id }) => _id);
      const isFirst = ids.length === 0 || !(await ctx.stores.imports.isAfterAnother(session, item, ids));
      const decision = decideCase({ cases, isFirst }, row, member);
      const case_id = decision.existing?._id ?? prepared.row._id;
      if (decision.outcome === 'created') {
        await assertAssigned(ctx, session, member);
        await reserveCaseSlot(ctx, session, { user, partner });
        await insertNewCase(ctx, session, { ...prepared, row: { ...prepared.row, ...decision.texts } });
      } else if (decision.outcome === 'updated')
        await change(ctx, session, {
          caseId: case_id,
          user,
          partner: null,
          requested: decision.changes,
          by: null,
        });
      if (decision.outcome !== 'unchanged')
        await recordRow(ctx, session, { import: importing.import, userId, caseId: case_id });
      const outcome = resultOf(decision.outcome, person);
      const result: Result = { ...warningOf(person), outcome, user_id: userId, case_id };
      const noted = { outcome: decision.outcome, user_id: userId, case_id };
      if (!(await ctx.stores.imports.isWaiting(session, item._id))) throw new RowIsDone();
      if (isLast) await ctx.stores.imports.finish([{ id: item._id, result }], session);
      else if (!(await ctx.stores.imports.noteCase(session, item._id, noted))) throw new RowIsDone();
      return isLast ? result : { ...result, outcome: decision.outcome };
    });
  } catch (error) {
    return refusalBy(error);
  }
}

/** Another runner, whose lease this one took over, was faster: its effect counts, and this one is undone. */
class RowIsDone extends Error {
  override name = 'RowIsDone';
}

export function isRowDone(error: unknown): boolean {
  return error instanceof RowIsDone;
}

/** A person who was made or filled for the row is an effect of it too. */
export function resultOf(
  ofCase: 'created' | 'updated' | 'unchanged',
  { outcome }: Pick<Reply, 'outcome'>,
): 'created' | 'updated' | 'unchanged' {
  if (ofCase !== 'unchanged') return ofCase;
  return outcome === 'updated' || outcome === 'created' ? 'updated' : 'unchanged';
}

export function warningOf({ name_differs }: Pick<Reply, 'name_differs'>): Pick<Result, 'code' | 'message'> {
  if (!name_differs) return { code: null, message: null };
  const message = 'The person with this e-mail address has another name, which was kept.';
  return { code: 'name_differs', message };
}

function newCaseOf(
  { import: { partner_id, actor, _id: id }, item, partner }: Importing,
  { read: { row }, person, userId }: CaseOfRow,
) {
  return {
    user: { id: userId, partner_id, status: person.status, version: person.version },
    partner,
    receiptNumber: row.receipt_number,
    description: row.description ?? '',
    first: deferredCheck,
    acknowledgedBy: { partner_id, ...actor, import: { id, row: item.row } },
  };
}

/**
 * Asks for capacity if a case would be made. What refuses the case is asked first, so no refusal waits for the quota.
 * @throws ApiError service_unavailable, or why the case is refused
 */
async function assertCapacityFor(
  ctx: Context,
  { partner }: Importing,
  { read, person, userId }: CaseOfRow,
): Promise<void> {
  const { row, member } = read;
  const cases = await ctx.stores.cases.ofReceipt(userId, row.receipt_number);
  if (cases.length > 0) return;
  decideCase({ cases, isFirst: true }, row, member);
  assertWithinLimit(ctx, (await assertMayHaveCase(ctx, person)) + 1);
  await assertWithinPartnerLimit(ctx, partner);
  await ctx.capacity.assertCapacity();
}

/** @throws ApiError staff_not_found */
async function assertAssigned(ctx: Context, session: Session, member: RowMember | null): Promise<void> {
  if (member !== null && !(await ctx.stores.staffStates.follow(session, member.id)))
    throw new ApiError('staff_not_found');
}

/** @throws ApiError user_not_active, as the transaction of the case does */
export async function assertMayHaveCase(ctx: Context, person: Reply): Promise<number> {
  if (person.user_id === null) return 0;
  const state = await ctx.stores.userStates.find(person.user_id);
  assertActive(newerState(state, stateOf({ id: person.user_id, ...person })));
  return state?.active_cases ?? 0;
}

export function personOf(row: ImportedRow): ImportedPerson {
  const { email, name, phone, preferred_language, notify_by_email, notify_by_whatsapp } = row;
  return { email, name, phone, preferred_language, notify_by_email, notify_by_whatsapp };
}

/** What the row would do to its person. `earlier`: rows before it that are not written. */
export async function askPerson(
  ctx: Context,
  importing: Pick<Importing, 'import' | 'item'>,
  row: ImportedRow,
  earlier: ImportedPerson[],
): Promise<Reply> {
  return await request(ctx, importing, { row, earlier, writes: false, expected: null });
}

async function writePerson(ctx: Context, importing: Importing, row: ImportedRow, expected: number | null) {
  return await request(ctx, importing, { row, earlier: [], writes: true, expected });
}

type Question = { row: ImportedRow; earlier: ImportedPerson[]; writes: boolean; expected: number | null };

async function request(
  ctx: Context,
  { import: imported, item }: Pick<Importing, 'import' | 'item'>,
  { row, ...question }: Question,
): Promise<Reply> {
  const { partner_id, actor, send_verification } = imported;
  return await ctx.bus.request('identity.upsert_person', {
    partner_id,
    network: networkOfImport(imported),
    import_id: imported._id,
    actor: { key_id: actor.key_id, staff_id: actor.staff_id },
    key: `import:${item._id}`,
    person: personOf(row),
    send_verification,
    ...question,
  });
}

async function finish(ctx: Context, importing: Importing, decided: Result): Promise<void> {
  const result = await withOwner(ctx, importing, decided);
  await ctx.stores.imports.finish([{ id: importing.item._id, result }]);
  await eraseIfErased(ctx, [result]);
}
