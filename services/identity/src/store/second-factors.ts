import type { SecretBox } from '@casewatch/platform';
import { type Connection, collection, type Session } from '@casewatch/platform/database';

/** The second factor of one member of staff (docs/adr/0093). That there is one stands in the member's row, too. */
export type SecondFactor = {
  /** Of the member. */
  readonly _id: number;
  /** The key of the authenticator app, sealed for this member. */
  readonly sealed_key: string;
  /** The newest 30-second step whose code was used; codes of it and before it no longer work. */
  readonly last_step: number;
  /** Of recovery codes that were not used. */
  readonly recovery_macs: readonly string[];
};

/** Of the secret box that seals the keys. */
export const factorPurpose = 'second factors of staff';

const factors = collection<SecondFactor>('second_factors', Number);

/** Binds a sealed key to its member: of an account that is not theirs it does not open. */
export function factorContext(staffId: number): string {
  return `second-factor/${staffId}`;
}

export function createSecondFactorStore(db: Connection) {
  const model = factors(db);
  return {
    async find(staffId: number, tx: Session | null = null) {
      return await model.findById(staffId).session(tx).lean<SecondFactor>();
    },
    /** In place of the one that the member had. */
    async put({ _id, ...set }: SecondFactor, tx: Session) {
      await model.updateOne({ _id }, { $set: set }, { upsert: true, session: tx });
    },
    /** False if a code of this step, or of a later one, was used. */
    async useStep(staffId: number, step: number, tx: Session) {
      const unused = { _id: staffId, last_step: { $lt: step } };
      const { modifiedCount } = await model.updateOne(unused, { $set: { last_step: step } }, { session: tx });
      return modifiedCount === 1;
    },
    /** False if there is no such code, or no longer. */
    async useRecoveryCode(staffId: number, mac: string, tx: Session) {
      const unused = { _id: staffId, recovery_macs: mac };
      const { modifiedCount } = await model.updateOne(
        unused,
        { $pull: { recovery_macs: mac } },
        { session: tx },
      );
      return modifiedCount === 1;
    },
    async remove(staffId: number, tx: Session) {
      await model.deleteOne({ _id: staffId }, { session: tx });
    },
    async sealPrefixes(): Promise<string[]> {
      const rows = await model.find({}, { sealed_key: 1 }).lean<Pick<SecondFactor, 'sealed_key'>[]>();
      return rows.map(({ sealed_key }) => sealed_key.slice(0, sealed_key.lastIndexOf('.') + 1));
    },
    /** Seals the keys with the current pepper; returns their number. A key that no pepper of the ring opens stays. */
    async reseal(box: SecretBox): Promise<number> {
      let count = 0;
      for await (const { _id, sealed_key } of model.find({}, { sealed_key: 1 }).lean<SecondFactor[]>()) {
        const isOpenable = box.prefixes.some((prefix) => sealed_key.startsWith(prefix));
        if (sealed_key.startsWith(box.currentPrefix) || !isOpenable) continue;
        const context = factorContext(_id);
        const change = { $set: { sealed_key: box.seal(box.open(sealed_key, context), context) } };
        // Every sealed text is unique, so this changes nothing if another replica, or the member, came first.
        count += (await model.updateOne({ _id, sealed_key }, change)).modifiedCount;
      }
      return count;
    },
  };
}
