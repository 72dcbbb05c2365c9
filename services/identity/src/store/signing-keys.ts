import { type Connection, isDuplicateKey, type SecretBox, type Session } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { KeyMaterial } from '../credentials/new-signing-key.ts';
import { predecessorsPublishedUntil, type SigningKey } from '../domain/signing-key.ts';

/** `_id` is the generation; the private part is sealed. */
type Row = Omit<SigningKey, 'generation' | 'd'> & {
  readonly _id: number;
  readonly sealed_d: string;
  readonly created_at: Date;
};

/** A key that is published no more is kept for a day, so that `signing-key list` can still tell of it. */
const keepSeconds = 24 * 60 * 60;

const schema = new mongoose.Schema<Row>(
  {
    _id: Number,
    kid: String,
    x: String,
    y: String,
    sealed_d: String,
    signs_from: Date,
    published_until: Date,
    created_at: Date,
  },
  { versionKey: false, id: false, collection: 'signing_keys' },
);
schema.index({ published_until: 1 }, { name: 'expiry', expireAfterSeconds: keepSeconds });

type NewKey = { material: KeyMaterial; generation: number; signsFrom: Date; now: Date };

/** Keys that sign access tokens; their private parts are encrypted under the operator's secret. */
export function createSigningKeyStore(db: Connection) {
  const model = db.model<Row>('signing_keys', schema);
  return {
    /** All that are known, oldest first. */
    async list(box: SecretBox, tx: Session | null = null): Promise<SigningKey[]> {
      const rows = await model.find().sort({ _id: 1 }).session(tx).lean<Row[]>();
      return rows.map((row) => unseal(row, box));
    },
    /** The beginnings of what is sealed of those still published, as `SecretBox.prefixes`. */
    async sealPrefixes(now: Date): Promise<string[]> {
      const published = { $or: [{ published_until: null }, { published_until: { $gt: now } }] };
      const rows = await model.find(published).select({ sealed_d: 1 }).lean<Pick<Row, 'sealed_d'>[]>();
      return rows.map(({ sealed_d }) => sealed_d.slice(0, sealed_d.lastIndexOf('.') + 1));
    },
    /** Seals with the ring's current key what a former one sealed; how many. What no key of the ring opens stays. */
    async reseal(box: SecretBox): Promise<number> {
      let count = 0;
      for (const { _id, kid, sealed_d } of await model.find().lean<Row[]>()) {
        if (sealed_d.startsWith(box.currentPrefix)) continue;
        const d = openOrNull(box, sealed_d, kid);
        if (d === null) continue;
        // No two sealed texts are alike: where another replica came first this changes nothing.
        const change = { $set: { sealed_d: box.seal(d, aboutKey(kid)) } };
        count += (await model.updateOne({ _id, sealed_d }, change)).modifiedCount;
      }
      return count;
    },
    /** False where another made this generation at the same time. */
    async insert(box: SecretBox, key: NewKey, tx: Session | null = null): Promise<boolean> {
      try {
        await model.insertMany([rowOf(box, key)], { session: tx });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    /** Says of those that were to be published for ever how long they are; `at`: when their successor signs. */
    async endPredecessors(generation: number, at: Date, tx: Session): Promise<void> {
      await model.updateMany(
        { _id: { $lt: generation }, published_until: null },
        { $set: { published_until: predecessorsPublishedUntil(at) } },
        { session: tx },
      );
    },
    /** Publishes no other than this one from now on. */
    async unpublishOlder(generation: number, now: Date, tx: Session): Promise<void> {
      const others = { _id: { $lt: generation } };
      const stillPublished = { $or: [{ published_until: null }, { published_until: { $gt: now } }] };
      await model.updateMany(
        { $and: [others, stillPublished] },
        { $set: { published_until: now } },
        { session: tx },
      );
    },
  };
}

function rowOf(box: SecretBox, { material, generation, signsFrom, now }: NewKey): Row {
  const { d, ...open } = material;
  return {
    _id: generation,
    ...open,
    sealed_d: box.seal(d, aboutKey(open.kid)),
    signs_from: signsFrom,
    published_until: null,
    created_at: now,
  };
}

function unseal({ _id, sealed_d, created_at: _, ...row }: Row, box: SecretBox): SigningKey {
  return { generation: _id, ...row, d: openOrNull(box, sealed_d, row.kid) };
}

/** Sealed with a pepper that is not in the ring, keys only verify: their tokens live on, and a new key signs. */
function openOrNull(box: SecretBox, sealed: string, kid: string): string | null {
  try {
    return box.open(sealed, aboutKey(kid));
  } catch {
    return null;
  }
}

function aboutKey(kid: string): string {
  return `signing-key/${kid}`;
}
