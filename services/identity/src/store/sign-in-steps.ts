import { type Connection, collection, type Session } from '@casewatch/platform/database';
import { maxTries } from './login-challenges.ts';

/**
 * What stands between the code of an e-mail and a session (`code`, `set_up`), or between a session and its member's new second factor
 * (`in_session`; `_id` is that of the session). The key that is being set up belongs to this row alone: another browser sees another.
 */
export type SignInStep = {
  readonly _id: string;
  readonly kind: 'code' | 'set_up' | 'in_session';
  readonly staff_id: number;
  readonly partner_id: number;
  readonly sealed_key: string | null;
  readonly tries: number;
  readonly used_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
};

const steps = collection<SignInStep>('sign_in_steps', String, [
  { name: 'staff', keys: { staff_id: 1 } },
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
]);

export function createSignInStepStore(db: Connection) {
  const model = steps(db);
  const unused = (id: string, now: Date) => ({ _id: id, used_at: null, expires_at: { $gt: now } });
  return {
    async live(id: string, now: Date, tx: Session | null = null) {
      return await model.findOne(unused(id, now)).session(tx).lean<SignInStep>();
    },
    /** In place of the one with the same id. */
    async put({ _id, ...set }: SignInStep, tx: Session) {
      await model.updateOne({ _id }, { $set: set }, { upsert: true, session: tx });
    },
    /** As the code of an e-mail: a try is taken before the code is compared. */
    async takeTry(id: string, now: Date) {
      const { modifiedCount } = await model.updateOne(
        { ...unused(id, now), tries: { $lt: maxTries } },
        { $inc: { tries: 1 } },
      );
      return modifiedCount === 1;
    },
    async use(id: string, now: Date, tx: Session) {
      const { modifiedCount } = await model.updateOne(
        unused(id, now),
        { $set: { used_at: now, sealed_key: null } },
        { session: tx },
      );
      return modifiedCount === 1;
    },
    async removeAll(staffId: number, tx: Session) {
      await model.deleteMany({ staff_id: staffId }, { session: tx });
    },
  };
}
