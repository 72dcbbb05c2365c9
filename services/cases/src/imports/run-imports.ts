import { type ImportedPerson, toIso } from '@casewatch/contracts';
import { createWakeableTimer, type Running } from '@casewatch/platform';
import { type HeldLease, holdLease, leaseSignals, transaction } from '@casewatch/platform/database';
import { assertWithinLimit, assertWithinPartnerLimit, type LimitedPartner } from '../cases/index.ts';
import type { Context } from '../context.ts';
import type { ImportItem, ImportRow, Result } from '../store/imports.ts';
import { type CaseTexts, decideCase } from './decide-case.ts';
import {
  askPerson,
  assertMayHaveCase,
  type Importing,
  importRow,
  isRowDone,
  type Members,
  personOf,
  type ReadRow,
  readRow,
  refusalBy,
  refusedPerson,
  resultOf,
  warningOf,
} from './import-row.ts';
import { eraseIfErased, withOwner } from './row-owner.ts';

const lease = 'case-imports';
/** Another replica goes on this long after the process of the runner died, ms. */
const leaseMs = 10_000;
/** Pause after a failure, ms. */
const retryMs = 1_000;
/** Interval of looking for imports that another replica has stored, ms. */
const idleMs = 2_000;
/** Imports at a time, each of another partner, and as many that were cancelled: no partner waits for the 10,000 rows of another. */
const importsAtOnce = 5;
const rowsTogether = 100;
/** People whose rows are imported at a time. With a limit of the partner it is one, so that the dry run can say which rows are refused. */
const peopleAtOnce = 4;
/** People who fail one after another before the rest of the batch waits. */
const mostFailures = 8;

/** Runs all imports, a batch of rows of each in a round. One replica does it at a time, and another one goes on after its end. */
export function runImports(ctx: Context): Running {
  return holdLease({
    connection: ctx.leases,
    log: ctx.log,
    name: lease,
    ttlMs: leaseMs,
    signals: leaseSignals(ctx.bus, ctx.log, lease),
    async whileHeld({ signal }: HeldLease) {
      const timer = createWakeableTimer(signal);
      ctx.signals.on('imports', timer.wake);
      while (!signal.aborted) {
        const round = await runRound(ctx, signal);
        if (round !== 'worked') await timer.sleep(round === 'failed' ? retryMs : idleMs);
      }
      ctx.signals.off('imports', timer.wake);
    },
  });
}

type Round = 'worked' | 'failed' | 'idle';

async function runRound(ctx: Context, signal: AbortSignal): Promise<Round> {
  try {
    const open = await ctx.stores.imports.open(importsAtOnce);
    if (open.length === 0) return 'idle';
    const done = await Promise.all(open.map((row) => runBatch(ctx, row, signal)));
    // A pause where nothing was done: what fails is a service that is away.
    return done.some((isWorked) => isWorked) ? 'worked' : 'failed';
  } catch (error) {
    ctx.log.warn({ err: error }, 'imports not loaded; trying again');
    return 'failed';
  }
}

/** False if nothing could be done. An import that fails holds up no other. */
async function runBatch(ctx: Context, row: ImportRow, signal: AbortSignal): Promise<boolean> {
  try {
    const isCancelled = row.state === 'cancelled';
    const items = await ctx.stores.imports[isCancelled ? 'begun' : 'waiting'](row._id, rowsTogether);
    if (items.length === 0) {
      await settle(ctx, row);
      return true;
    }
    if (row.state === 'waiting') await ctx.stores.imports.begin(row._id);
    const [members, partner] = await Promise.all([
      ctx.identity.staffByEmail(row.partner_id),
      ctx.identity.limitedPartner(row.partner_id),
    ]);
    const isCounted = row.dry_run && partner !== null;
    const created = isCounted ? (await ctx.stores.imports.countsOf(row)).created : 0;
    return await runPeople(ctx, { import: row, members, partner, created, signal }, items);
  } catch (error) {
    ctx.log.warn({ import: row._id, err: error }, 'rows of an import not done; trying again');
    return false;
  }
}

/** People who fail come again after the others. False if all failed. Once too many in turn do, a service is away, and all wait. */
async function runPeople(ctx: Context, batch: Batch, items: readonly ImportItem[]): Promise<boolean> {
  const people = [...Map.groupBy(items, ({ person }) => person)];
  const runPerson = batch.import.dry_run ? tryPerson : importPerson;
  const together = batch.partner === null ? peopleAtOnce : 1;
  const failed: { person: string; error: unknown }[] = [];
  let done = 0;
  let inTurn = 0;
  for (let at = 0; at < people.length && inTurn < mostFailures && !batch.signal.aborted; at += together) {
    const some = people.slice(at, at + together);
    const results = await Promise.allSettled(some.map(([, rows]) => runPerson(ctx, batch, rows)));
    for (const [i, result] of results.entries()) {
      const [person = ''] = some[i] ?? [];
      if (result.status === 'rejected') failed.push({ person, error: result.reason });
      inTurn = result.status === 'rejected' ? inTurn + 1 : 0;
      if (result.status === 'fulfilled') done += 1;
    }
  }
  const [first] = failed;
  if (first)
    ctx.log.warn(
      { import: batch.import._id, people: failed.length, err: first.error },
      'rows of an import not done; trying again',
    );
  await ctx.stores.imports.postpone(
    batch.import._id,
    failed.map(({ person }) => person),
  );
  return done > 0;
}

type Batch = {
  import: ImportRow;
  members: Members;
  partner: LimitedPartner | null;
  /** Cases that a dry run would have made so far; counted for a partner with a limit alone. */
  created: number;
  signal: AbortSignal;
};

/** The rows of one person, one after another: each sees what those before it did. */
async function importPerson(
  ctx: Context,
  { signal, ...batch }: Batch,
  items: readonly ImportItem[],
): Promise<void> {
  // Of an import that was cancelled before, `items` are the rows that were begun.
  const isRunning = batch.import.state !== 'cancelled';
  const [first] = items;
  // Of a partner with a limit, all rows of the person in one go, as in the dry run.
  const isWhole = isRunning && batch.partner !== null && first !== undefined;
  const all = isWhole ? await ctx.stores.imports.ofPerson(first.import_id, first.person) : items;
  for (const item of all) {
    if (item.outcome !== 'waiting') continue;
    // A row that was begun is completed; those after it are cancelled.
    if (signal.aborted || (isRunning && (await ctx.stores.imports.isCancelled(item.import_id)))) return;
    await importRow(ctx, { ...batch, item }).catch((error: unknown) => {
      if (!isRowDone(error)) throw error;
      ctx.log.info({ import: item.import_id, row: item.row }, 'row of an import done by another runner');
    });
  }
}

/**
 * The dry run of all rows of one person: decided as the import decides, by the same functions, and each after those before it.
 * Only the outcomes are written, together, because a row that is done can no longer be read.
 */
async function tryPerson(ctx: Context, batch: Batch, [first]: readonly ImportItem[]): Promise<void> {
  if (!first) return;
  const items = await ctx.stores.imports.ofPerson(batch.import._id, first.person);
  const world: World = { earlier: [], cases: new Map(), created: 0, createdBefore: batch.created };
  const results: { id: string; result: Result }[] = [];
  for (const item of items) {
    if (batch.signal.aborted) return;
    if (item.outcome !== 'waiting') continue;
    const read = readRow(ctx, { ...batch, item });
    const decided = 'outcome' in read ? read : await tryRow(ctx, { ...batch, item }, { read, world });
    results.push({ id: item._id, result: await withOwner(ctx, { ...batch, item }, decided) });
  }
  await transaction(ctx.db, (session) => ctx.stores.imports.finish(results, session));
  if (batch.partner !== null) batch.created += world.created;
  await eraseIfErased(
    ctx,
    results.map(({ result }) => result),
  );
}

/** What the rows before would have done. */
type World = {
  /** Those that made or filled the person. */
  earlier: ImportedPerson[];
  /** By receipt number, of rows that were not refused. */
  cases: Map<string, readonly (CaseTexts & { _id: number | null })[]>;
  created: number;
  /** By rows of the people before. */
  createdBefore: number;
};

type Trial = { read: ReadRow; world: World };

async function tryRow(
  ctx: Context,
  importing: Importing,
  { read: { row, member }, world }: Trial,
): Promise<Result> {
  const asked = await askPerson(ctx, importing, row, world.earlier);
  if (asked.outcome === 'refused') return refusedPerson(asked);
  const { user_id } = asked;
  try {
    const before = world.cases.get(row.receipt_number);
    const cases =
      before ?? (user_id === null ? [] : await ctx.stores.cases.ofReceipt(user_id, row.receipt_number));
    const decision = decideCase({ cases, isFirst: before === undefined }, row, member);
    if (decision.outcome === 'created') {
      const active = await assertMayHaveCase(ctx, asked);
      assertWithinLimit(ctx, active + world.created + 1);
      const more = world.createdBefore + world.created + 1;
      await assertWithinPartnerLimit(ctx, importing.partner, { more });
      world.created += 1;
    }
    const { existing, texts } = decision;
    const case_id = existing?._id ?? null;
    const after = { ...texts, _id: case_id };
    const standing = existing ? cases.map((one) => (one === existing ? after : one)) : [after];
    world.cases.set(row.receipt_number, standing);
    if (asked.outcome !== 'unchanged') world.earlier.push(personOf(row));
    return { ...warningOf(asked), outcome: resultOf(decision.outcome, asked), user_id, case_id };
  } catch (error) {
    return { ...refusalBy(error), user_id };
  }
}

/** The end of an import whose rows are done, or that was cancelled: its counts stay, and its rows for a week. */
async function settle(ctx: Context, row: ImportRow): Promise<void> {
  await ctx.stores.imports.expireRows(row._id);
  await transaction(ctx.db, async (session) => {
    const now = ctx.clock.now();
    const counts = await ctx.stores.imports.settle(session, row, now);
    // Another runner was faster, or it was cancelled meanwhile: then it is settled once more.
    if (counts === null) return;
    const { _id: import_id, partner_id, dry_run } = row;
    await ctx.outbox.add(session, 'import.finished', `import/${import_id}`, {
      import_id,
      partner_id,
      dry_run,
      state: row.state === 'cancelled' ? 'cancelled' : 'done',
      ...counts,
      created_at: toIso(row.created_at),
      finished_at: toIso(now),
    });
  });
}
