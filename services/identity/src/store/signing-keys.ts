import type { SecretBox } from '@casewatch/platform';
import { type Connection, collection, isDuplicateKey, type Session } from '@casewatch/platform/database';
import type { KeyMaterial } from '../credentials/new-signing-key.ts';
import { predecessorsPublishedUntil, type SigningKey } from '../domain/signing-key.ts';

/** `_id` is the generation; the private part is sealed. */
type Row = Omit<SigningKey, 'generation' | 'd'> & {
  readonly _id: number;
  readonly sealed_d: string;
  readonly created_at: Date;
};

/** How long `signing-key list` shows a key after its publication. */
const keepSeconds = 24 * 60 * 60;

const signingKeys = collection<Row>('signing_keys', Number, [
  { name: 'expiry', keys: { published_until: 1 }, expireAfterSeconds: keepSeconds },
]);

type NewKey = { material: KeyMaterial; generation: number; signsFrom: Date; now: Date };

export function createSigningKeyStore(db: Connection) {
  const model = signingKeys(db);
  return {
    async list(box: SecretBox, tx: Session | null = null): Promise<SigningKey[]> {
      const rows = await model.find().sort({ _id: 1 }).session(tx).lean<Row[]>();
      return rows.map((row) => unseal(row, box));
    },
    async sealPrefixes(now: Date): Promise<string[]> {
      const rows = await model.find(publishedAt(now)).select({ sealed_d: 1 }).lean<Pick<Row, 'sealed_d'>[]>();
      return rows.map(({ sealed_d }) => sealed_d.slice(0, sealed_d.lastIndexOf('.') + 1));
    },
    /** Seals private parts with the current pepper; returns their number. A part that no pepper opens stays. */
    async reseal(box: SecretBox): Promise<number> {
      let count = 0;
      for (const { _id, kid, sealed_d } of await model.find().lean<Row[]>()) {
        if (sealed_d.startsWith(box.currentPrefix)) continue;
        const d = openOrNull(box, sealed_d, kid);
        if (d === null) continue;
        // Every sealed text is unique, so this changes nothing if another replica came first.
        const change = { $set: { sealed_d: box.seal(d, sealContext(kid)) } };
        count += (await model.updateOne({ _id, sealed_d }, change)).modifiedCount;
      }
      return count;
    },
    /** False if another replica created this generation. */
    async insert(box: SecretBox, key: NewKey, tx: Session | null = null): Promise<boolean> {
      try {
        await model.insertMany([rowOf(box, key)], { session: tx });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    /** Sets the end of publication of older keys; `at`: when their successor signs. */
    async endPredecessors(generation: number, at: Date, tx: Session): Promise<void> {
      await model.updateMany(
        { _id: { $lt: generation }, published_until: null },
        { $set: { published_until: predecessorsPublishedUntil(at) } },
        { session: tx },
      );
    },
    async unpublishOlder(generation: number, now: Date, tx: Session): Promise<void> {
      const older = { _id: { $lt: generation }, ...publishedAt(now) };
      await model.updateMany(older, { $set: { published_until: now } }, { session: tx });
    },
  };
}

function publishedAt(now: Date) {
  return { $or: [{ published_until: null }, { published_until: { $gt: now } }] };
}

function rowOf(box: SecretBox, { material, generation, signsFrom, now }: NewKey): Row {
  const { d, ...open } = material;
  return {
    _id: generation,
    ...open,
    sealed_d: box.seal(d, sealContext(open.kid)),
    signs_from: signsFrom,
    published_until: null,
    created_at: now,
  };
}

function unseal({ _id, sealed_d, created_at: _, ...row }: Row, box: SecretBox): SigningKey {
  return { generation: _id, ...row, d: openOrNull(box, sealed_d, row.kid) };
}

/** Null if the sealing pepper is not in the ring: the key then only verifies. */
function openOrNull(box: SecretBox, sealed: string, kid: string): string | null {
  try {
    return box.open(sealed, sealContext(kid));
  } catch {
    return null;
  }
}

function sealContext(kid: string): string {
  return `signing-key/${kid}`;
}
