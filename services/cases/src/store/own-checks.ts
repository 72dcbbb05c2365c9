import { createHmac } from 'node:crypto';
import type { Caller, CheckReply } from '@casewatch/contracts';
import { createSecretBox, deriveKey, type KeyRing } from '@casewatch/platform';
import { type Connection, collection, type Session } from '@casewatch/platform/database';

/** The answer of the last check that one caller saw of one receipt, encrypted. */
type OwnCheckRow = {
  /** HMAC of caller and receipt number. */
  _id: string;
  /** Null: of a partner. */
  user_id: number | null;
  /** Null: of a user. */
  partner_id: number | null;
  sealed: string;
  checked_at: Date;
};

export type OwnChecks = ReturnType<typeof createOwnChecks>;

/** `rejected` is never a stored answer. */
type Reply = Exclude<CheckReply, { outcome: 'rejected' }>;

type Owner = Pick<Caller, 'kind'> & { partner_id: number | null; user_id?: number };

/** The greatest `max_age` of a check. */
const keepSeconds = 24 * 60 * 60;

export const ownCheckModel = collection<OwnCheckRow>('own_checks', String, [
  { name: 'expiry', keys: { checked_at: 1 }, expireAfterSeconds: keepSeconds },
  { name: 'of_user', keys: { user_id: 1 }, partialFilterExpression: { user_id: { $gt: 0 } } },
  { name: 'of_partner', keys: { partner_id: 1 }, partialFilterExpression: { partner_id: { $gt: 0 } } },
]);

/**
 * What each caller was shown by a check or a creation. An answer that another caller's check or case has brought would tell that somebody
 * watches the receipt.
 */
export function createOwnChecks(db: Connection, ring: KeyRing) {
  const model = ownCheckModel(db);
  const box = createSecretBox(ring, 'own checks');
  // Under another first key, checks are not found: they are live then.
  const key = deriveKey('owners of own checks', ring[0]);

  function idOf(owner: string, receiptNumber: string): string {
    return createHmac('sha256', key).update(`${owner} ${receiptNumber}`).digest('base64url');
  }

  return {
    async find(owner: Owner, receiptNumber: string): Promise<Reply | null> {
      const row = await model.findById(idOf(nameOf(owner), receiptNumber)).lean<OwnCheckRow>();
      return row && (JSON.parse(box.open(row.sealed, row._id)) as Reply);
    },
    /** What this caller sees may be shown to it again. */
    async put(owner: Owner, receiptNumber: string, reply: Reply, session?: Session): Promise<void> {
      if (reply.outcome === 'unreadable') return;
      const _id = idOf(nameOf(owner), receiptNumber);
      const sealed = box.seal(JSON.stringify(reply), _id);
      const change = {
        user_id: owner.user_id ?? null,
        partner_id: owner.kind === 'partner' ? owner.partner_id : null,
        sealed,
        checked_at: new Date(reply.checked_at),
      };
      await model.updateOne({ _id }, { $set: change }, { upsert: true, ...(session && { session }) });
    },
    async eraseUser(userId: number): Promise<void> {
      await model.deleteMany({ user_id: userId });
    },
    /** All that a partner was shown. */
    async erasePartner(partnerId: number): Promise<void> {
      await model.deleteMany({ partner_id: partnerId });
    },
    /** What a partner was shown of the receipt of a user. */
    async eraseOfPartner(session: Session, partnerId: number, receiptNumber: string): Promise<void> {
      const owner = nameOf({ kind: 'partner', partner_id: partnerId });
      await model.deleteOne({ _id: idOf(owner, receiptNumber) }, { session });
    },
  };
}

function nameOf({ kind, partner_id, user_id }: Owner): string {
  return kind === 'user' ? `user ${user_id}` : `partner ${partner_id}`;
}
