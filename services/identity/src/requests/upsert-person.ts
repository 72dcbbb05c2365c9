import type { ImportedPerson, ReplyInput, RequestData } from '@casewatch/contracts';
import { ApiError, draftOf, type RequestHandler, recordOf } from '@casewatch/platform';
import { isDuplicateKey, type Session, transaction } from '@casewatch/platform/database';
import { addUser, changeUser } from '../changes/change-user.ts';
import { queueVerification } from '../changes/queue-verification.ts';
import type { Context } from '../context.ts';
import { faultsOfNewUser } from '../domain/check-user-body.ts';
import { newPartnerUser } from '../domain/new-user.ts';
import { toEmailLower, type User } from '../domain/user.ts';
import { rowOf } from '../store/audit.ts';
import { isAddressTaken } from '../store/users.ts';
import { takeImportPlace } from '../verification/import-verifications.ts';

type Question = RequestData<'identity.upsert_person'>;
type Reply = ReplyInput<'identity.upsert_person'>;

/**
 * The person of one row of an import: made if nobody of the partner has the address, else only filled where empty (firm.md §6).
 * Name, address, language, status, channels and consent of a person who exists do not change. What was done is kept under the key
 * of the row and answered again, so a repeated row has one effect.
 */
export function answerUpsertPerson(ctx: Context): RequestHandler<'identity.upsert_person'> {
  return async (question) => {
    const kept = await ctx.stores.importAnswers.find(question.key);
    if (kept) return await againOf(ctx, kept);
    const refusal = refusalOf(question.person);
    if (refusal !== null) return refused(refusal);
    if (!question.writes) return await foretell(ctx, question);
    return await write(ctx, question).catch((error: unknown) => {
      // Somebody else took the address, or another runner of the import wrote the row.
      if (isAddressTaken(error) || isDuplicateKey(error, 'import_answers')) return changed;
      // Nobody begins at a partner that is being deleted: asked again, the row would wait until the erasure.
      if (error instanceof ApiError && error.code === 'partner_suspended')
        return refused({ code: error.code, message: error.message });
      throw error;
    });
  };
}

/** What is known of the person who has the address, before or after a row. */
type Standing = Pick<User, 'name' | 'phone' | 'status' | 'version'> & { id: number | null };

type Decision = Pick<Reply, 'outcome' | 'name_differs'> & { fill: Partial<Pick<User, 'phone'>> };

/** Pure. `standing` null: nobody has the address. */
export function decideImportedPerson(
  standing: Pick<Standing, 'name' | 'phone'> | null,
  person: ImportedPerson,
): Decision {
  if (standing === null) return { outcome: 'created', name_differs: false, fill: {} };
  const fill = standing.phone === null && person.phone !== null ? { phone: person.phone } : {};
  return {
    outcome: Object.keys(fill).length > 0 ? 'updated' : 'unchanged',
    name_differs: spelled(standing.name) !== spelled(person.name),
    fill,
  };
}

function spelled(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

function standingOf(user: User | null): Standing | null {
  if (user === null) return null;
  const { _id: id, name, phone, status, version } = user;
  return { id, name, phone, status, version };
}

/** What the row would do after the earlier ones. */
async function foretell(ctx: Context, { partner_id, earlier, person }: Question): Promise<Reply> {
  const user = await ctx.stores.users.findInTenant(partner_id, toEmailLower(person.email));
  let standing = standingOf(user);
  for (const before of earlier) {
    const { fill } = decideImportedPerson(standing, before);
    standing = standing
      ? { ...standing, ...fill }
      : { id: null, name: before.name, phone: before.phone, status: 'active', version: 0 };
  }
  const { outcome, name_differs } = decideImportedPerson(standing, person);
  const { id = null, status = 'active', version = 0 } = standing ?? {};
  return { outcome, code: null, message: null, user_id: id, status, version, name_differs };
}

async function write(ctx: Context, question: Question): Promise<Reply> {
  const { partner_id, key, person, expected } = question;
  const newId = expected === null ? await ctx.ids.next('users') : 0;
  const { reply, hasMail } = await transaction(ctx.db, async (tx) => {
    const now = ctx.clock.now();
    const user = await ctx.stores.users.findInTenant(partner_id, toEmailLower(person.email), tx);
    if ((user?._id ?? null) !== expected) return { reply: changed, hasMail: false };
    const { outcome, name_differs, fill } = decideImportedPerson(standingOf(user), person);
    const after = user ? await filled(user, fill) : newUser();
    if (user === null) await addUser(ctx, tx, after);
    const hasMail = user === null && question.send_verification && (await queueMail());
    const kept = { _id: key, user_id: after._id, name_differs, created_at: now } as const;
    if (outcome !== 'unchanged') await record(ctx, tx, question, after._id);
    await ctx.stores.importAnswers.insert({ ...kept, outcome: written(outcome) }, tx);
    const { _id: user_id, status, version } = after;
    const reply: Reply = { outcome, code: null, message: null, user_id, status, version, name_differs };
    return { reply, hasMail };

    async function filled(before: User, set: Decision['fill']): Promise<User> {
      return Object.keys(set).length === 0 ? before : await changeUser(ctx, tx, { user: before, set });
    }
    function newUser(): User {
      return newPartnerUser({ id: newId, body: bodyOf(person), caller: callerOf(question), now });
    }
    /** Who is beyond a limit gets the mail when the partner says so. */
    async function queueMail(): Promise<boolean> {
      if ((await takeImportPlace(ctx, partner_id, tx)) !== null) return false;
      const { row } = await queueVerification(ctx, after, tx);
      if (!row) return false;
      await ctx.stores.users.recordVerificationMail(after._id, now, tx);
      return true;
    }
  });
  if (hasMail) ctx.signals.emit('verificationMails');
  return reply;
}

/** The call that began the import ended before, and says nothing of its people. */
async function record(ctx: Context, tx: Session, question: Question, userId: number): Promise<void> {
  const { network = null, import_id } = question;
  const draft = draftOf('create_import', { principal: callerOf(question), address: '' }, ctx.clock.now());
  if (draft === null) return;
  const ofImport = import_id === undefined ? [] : [{ kind: 'import' as const, id: String(import_id) }];
  const objects = [{ kind: 'user' as const, id: String(userId) }, ...ofImport];
  await ctx.stores.audit.insert(
    [rowOf(recordOf({ draft: { ...draft, network }, objects, status: 202 }), null)],
    tx,
  );
}

/** Of what was written: only these three are. */
function written(outcome: Reply['outcome']): 'created' | 'updated' | 'unchanged' {
  return outcome === 'created' || outcome === 'updated' ? outcome : 'unchanged';
}

function bodyOf({ email, name, phone, ...person }: ImportedPerson) {
  return {
    email,
    name,
    phone,
    ...(person.preferred_language && { preferred_language: person.preferred_language }),
    ...(person.notify_by_email !== null && { notify_by_email: person.notify_by_email }),
    ...(person.notify_by_whatsapp !== null && { notify_by_whatsapp: person.notify_by_whatsapp }),
  };
}

/** Who imports, for the record of a consent. */
function callerOf({ partner_id, actor }: Question) {
  const { key_id, staff_id } = actor;
  const caller = { kind: 'partner' as const, partner_id, key_id: key_id ?? '', scopes: [] };
  return staff_id === null ? caller : { ...caller, staff_id };
}

/** The same answer, with the person's state of now. */
async function againOf(
  ctx: Context,
  { outcome, user_id, name_differs }: { outcome: Reply['outcome']; user_id: number; name_differs: boolean },
): Promise<Reply> {
  const user = await ctx.stores.users.find(user_id);
  // Erased since then.
  if (user === null) return refused({ code: 'user_not_found', message: 'The person was deleted meanwhile.' });
  const { status, version } = user;
  return { outcome, code: null, message: null, user_id, status, version, name_differs };
}

function refusalOf({ phone, notify_by_whatsapp }: ImportedPerson): { code: string; message: string } | null {
  const faults = faultsOfNewUser({ phone, notify_by_whatsapp: notify_by_whatsapp ?? undefined });
  if (faults.length === 0) return null;
  const message = faults.map((fault) => `${fault.pointer?.slice(2) ?? ''} ${fault.message}`).join('; ');
  return { code: 'validation_failed', message: `${message}.` };
}

const nobody = { user_id: null, status: 'inactive', version: 0, name_differs: false } as const;
const changed: Reply = { outcome: 'changed', code: null, message: null, ...nobody };

function refused({ code, message }: { code: string; message: string }): Reply {
  return { outcome: 'refused', code, message, ...nobody };
}
