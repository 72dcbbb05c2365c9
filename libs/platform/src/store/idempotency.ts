import { createHash, createHmac, randomUUID } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { deriveKey, type KeyRing } from '../secrets/key-ring.ts';
import { createSecretBox, type SecretBox } from '../secrets/secret-box.ts';
import { collection } from './collection.ts';
import { type Connection, retryOnDuplicate, type Session } from './mongo.ts';

export type RememberedAnswer = { status: number; headers: Record<string, string>; body: unknown };

/** Whose data an answer holds: the id of a user, or a member of staff or a partner, whose ids are the same numbers. */
export type PersonKey = number | `staff/${number}` | `partner/${number}`;

export type Attempt = {
  /** Stores the answer in the creation's transaction. @throws ApiError idempotency_in_progress after a take-over of the key */
  remember(session: Session, answer: RememberedAnswer, person: PersonKey | null): Promise<void>;
  release(): Promise<void>;
};

type Claim = { caller: string; operation: string; path: string; key: string; body: unknown };

export type Idempotency = {
  /** @throws ApiError idempotency_key_reused (another body), idempotency_in_progress */
  startAttempt(claim: Claim): Promise<{ replay: RememberedAnswer } | { attempt: Attempt }>;
  erase(session: Session, person: PersonKey): Promise<void>;
};

type Row = {
  _id: string;
  /** HMAC of the body: the stored value does not help to guess the body. */
  body_mac: string;
  owner: string;
  lease_until: Date;
  answer: string | null;
  user_id: PersonKey | null;
  created_at: Date;
};

const leaseMs = 30_000;
const keepSeconds = 24 * 60 * 60;

export const idempotencyModel = collection<Row>('idempotency', String, [
  { name: 'expiry', keys: { created_at: 1 }, expireAfterSeconds: keepSeconds },
  { name: 'user', keys: { user_id: 1 } },
]);

/** Idempotency keys per caller, operation and path, for 24 h (interface.md §1). Answers are encrypted. */
export function createIdempotency(connection: Connection, ring: KeyRing): Idempotency {
  const model = idempotencyModel(connection);
  const box = createSecretBox(ring, 'idempotency answers');
  const macKeys = ring.map((secret) => deriveKey('idempotency bodies', secret));

  /** With each key of the ring; new rows get the first. */
  function macsOf(body: unknown): string[] {
    const text = JSON.stringify(body);
    return macKeys.map((key) => createHmac('sha256', key).update(text).digest('base64url'));
  }

  function createAttempt(id: string, owner: string): Attempt {
    return {
      async remember(session, answer, person) {
        const sealed = box.seal(JSON.stringify(answer), id);
        const change = { $set: { answer: sealed, user_id: person } };
        const { matchedCount } = await model.updateOne({ _id: id, owner, answer: null }, change, { session });
        if (matchedCount === 0) throw new ApiError('idempotency_in_progress', { retryAfterS: 1 });
      },
      async release() {
        await model.deleteOne({ _id: id, owner, answer: null });
      },
    };
  }

  return {
    async startAttempt({ caller, operation, path, key, body }) {
      const id = hash(JSON.stringify([caller, operation, path, key]));
      const macs = macsOf(body);
      const owner = randomUUID();
      const row = await retryOnDuplicate(() => claimRow(model, id, macs, owner));
      if (!macs.includes(row.body_mac)) throw new ApiError('idempotency_key_reused');
      if (row.answer !== null) return { replay: openAnswer(box, id, row.answer) };
      if (row.owner !== owner) throw new ApiError('idempotency_in_progress', { retryAfterS: 1 });
      return { attempt: createAttempt(id, owner) };
    },
    async erase(session, person) {
      await model.deleteMany({ user_id: person }, { session });
    },
  };
}

/** Inserts the row, or takes over a row whose lease expired without an answer; otherwise returns it unchanged. */
async function claimRow(
  model: ReturnType<typeof idempotencyModel>,
  id: string,
  macs: readonly string[],
  owner: string,
): Promise<Row> {
  const isSameBody = { $in: ['$body_mac', macs] };
  const isFree = { $and: [{ $eq: ['$answer', null] }, { $lt: ['$lease_until', '$$NOW'] }, isSameBody] };
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
  return await model
    .findOneAndUpdate({ _id: id }, [{ $set: set }], options)
    .lean<Row>()
    .orFail();
}

/** @throws ApiError idempotency_key_reused if the key that encrypted the answer has left the ring */
function openAnswer(box: SecretBox, id: string, answer: string): RememberedAnswer {
  try {
    return JSON.parse(box.open(answer, id)) as RememberedAnswer;
  } catch (cause) {
    const message =
      'The response to this Idempotency-Key can no longer be read. Check whether the object exists, and use a new key.';
    throw new ApiError('idempotency_key_reused', { message, cause });
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
