import { createHash, createHmac, randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { ApiError } from '../errors.ts';
import { type KeyRing, keyFor } from '../secrets/key-ring.ts';
import { createSecretBox, type SecretBox } from '../secrets/secret-box.ts';
import { type Connection, isDuplicateKey, type Session } from './mongo.ts';

/** A 2xx answer as it was given, to be given again. */
export type RememberedAnswer = { status: number; headers: Record<string, string>; body: unknown };

/** One try of one creation: it remembers its answer with its effect, or lets the key go. */
export type Attempt = {
  /**
   * Writes the answer in the effect's own transaction. `userId`: whose erasure erases it.
   * @throws ApiError idempotency_in_progress if another try took the key over: then this effect must not happen
   */
  remember(session: Session, answer: RememberedAnswer, userId: number | null): Promise<void>;
  /** Frees the key after any other outcome; what was remembered stays. */
  release(): Promise<void>;
};

type Claim = { caller: string; operation: string; path: string; key: string; body: unknown };

export type Idempotency = {
  /**
   * The answer of the first try, or the right to try.
   * @throws ApiError idempotency_key_reused (another body), idempotency_in_progress
   */
  begin(claim: Claim): Promise<{ replay: RememberedAnswer } | { attempt: Attempt }>;
  /** Forgets the answers about a user, with the user. */
  erase(session: Session, userId: number): Promise<void>;
};

type Row = {
  _id: string;
  /** HMAC of the body: without the key nobody can guess what stood in it. */
  body_mac?: string;
  /** Of rows from before `body_mac`: SHA-256 of the body. Such rows live for 24 h. */
  body_hash?: string;
  owner: string;
  lease_until: Date;
  answer: string | null;
  user_id: number | null;
  created_at: Date;
};

type BodyForms = { macs: string[]; formerHash: string };

const leaseMs = 30_000;
const keepSeconds = 24 * 60 * 60;

const schema = new mongoose.Schema<Row>(
  {
    _id: String,
    body_mac: String,
    body_hash: String,
    owner: String,
    lease_until: Date,
    answer: String,
    user_id: Number,
    created_at: Date,
  },
  { versionKey: false, id: false, collection: 'idempotency' },
);
schema.index({ created_at: 1 }, { name: 'expiry', expireAfterSeconds: keepSeconds });
schema.index({ user_id: 1 }, { name: 'user' });

/** The collection of idempotency keys; a service's database names it beside its stores. */
export function idempotencyModel(connection: Connection) {
  return connection.model<Row>('idempotency', schema);
}

/** Idempotency keys of a service (interface.md §1): per caller, operation and path, 24 h, answers encrypted. */
export function createIdempotency(connection: Connection, ring: KeyRing): Idempotency {
  const model = idempotencyModel(connection);
  const box = createSecretBox(ring, 'idempotency answers');
  const macKeys = ring.map((secret) => keyFor('idempotency bodies', secret));

  /** The body in every form in which a row may hold it; the first of `macs` is for new rows. */
  function formsOf(body: unknown): BodyForms {
    const text = JSON.stringify(body);
    const macs = macKeys.map((key) => createHmac('sha256', key).update(text).digest('base64url'));
    return { macs, formerHash: hash(text) };
  }

  /** Makes the row, or takes over one whose try ended without an answer; else returns it as it is. */
  async function claimRow(id: string, { macs, formerHash }: BodyForms, owner: string): Promise<Row> {
    const isSameBody = {
      $cond: [
        { $eq: [{ $type: '$body_mac' }, 'missing'] },
        { $eq: ['$body_hash', formerHash] },
        { $in: ['$body_mac', macs] },
      ],
    };
    const isFree = {
      $and: [{ $eq: ['$answer', null] }, { $lt: ['$lease_until', '$$NOW'] }, isSameBody],
    };
    const isNew = { $eq: [{ $type: '$owner' }, 'missing'] };
    const takes = { $or: [isNew, isFree] };
    const set = {
      body_mac: { $cond: [isNew, macs[0], '$body_mac'] },
      owner: { $cond: [takes, owner, '$owner'] },
      lease_until: { $cond: [takes, { $add: ['$$NOW', leaseMs] }, '$lease_until'] },
      answer: { $ifNull: ['$answer', null] },
      user_id: { $ifNull: ['$user_id', null] },
      created_at: { $ifNull: ['$created_at', '$$NOW'] },
    };
    const options = { upsert: true, returnDocument: 'after', updatePipeline: true } as const;
    const claim = () =>
      model
        .findOneAndUpdate({ _id: id }, [{ $set: set }], options)
        .lean<Row>()
        .orFail();
    return await claim().catch((error: unknown) => {
      // Two made the row at once: it is there now.
      if (isDuplicateKey(error)) return claim();
      throw error;
    });
  }

  function attempt(id: string, owner: string): Attempt {
    return {
      async remember(session, answer, userId) {
        const sealed = box.seal(JSON.stringify(answer), id);
        const change = { $set: { answer: sealed, user_id: userId } };
        const { matchedCount } = await model.updateOne({ _id: id, owner, answer: null }, change, { session });
        if (matchedCount === 0) throw new ApiError('idempotency_in_progress', { retryAfterS: 1 });
      },
      async release() {
        await model.deleteOne({ _id: id, owner, answer: null });
      },
    };
  }

  return {
    async begin({ caller, operation, path, key, body }) {
      const id = hash(JSON.stringify([caller, operation, path, key]));
      const forms = formsOf(body);
      const owner = randomUUID();
      const row = await claimRow(id, forms, owner);
      if (!isOfBody(row, forms)) throw new ApiError('idempotency_key_reused');
      if (row.answer !== null) return { replay: reopen(box, id, row.answer) };
      if (row.owner !== owner) throw new ApiError('idempotency_in_progress', { retryAfterS: 1 });
      return { attempt: attempt(id, owner) };
    },
    async erase(session, userId) {
      await model.deleteMany({ user_id: userId }, { session });
    },
  };
}

function isOfBody({ body_mac, body_hash }: Row, { macs, formerHash }: BodyForms): boolean {
  return body_mac === undefined ? body_hash === formerHash : macs.includes(body_mac);
}

/** @throws ApiError idempotency_key_reused where the secret it was sealed with is gone from the ring */
function reopen(box: SecretBox, id: string, answer: string): RememberedAnswer {
  try {
    return JSON.parse(box.open(answer, id)) as RememberedAnswer;
  } catch (cause) {
    const message =
      'The answer to this Idempotency-Key can no longer be read; look whether the object is there, and use a new key.';
    throw new ApiError('idempotency_key_reused', { message, cause });
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
