import type { Position } from '@casewatch/platform';
import {
  collection,
  type Connection,
  findSurely,
  isDuplicateKey,
  type Session,
} from '@casewatch/platform/database';
import type { ApiKey } from '../domain/api-key.ts';
import { beyond } from './users.ts';
import { removeSomeOf } from './remove-some.ts';

const apiKeys = collection<ApiKey>('api_keys', Number, [
  { name: 'api_key', keys: { api_key: 1 }, unique: true },
  { name: 'list', keys: { partner_id: 1, created_at: -1, _id: -1 } },
]);

type PageQuery = { partnerId: number; after: Position | null; limit: number };

export function createApiKeyStore(db: Connection) {
  const model = apiKeys(db);
  return {
    async find(id: number, tx: Session | null = null) {
      return await model.findById(id).session(tx).lean<ApiKey>();
    },
    async findByKey(apiKey: string) {
      return await findSurely(model, { api_key: apiKey });
    },
    async listOfPartner(partnerId: number, tx: Session | null = null) {
      return await model.find({ partner_id: partnerId }).sort({ _id: 1 }).session(tx).lean<ApiKey[]>();
    },
    async page({ partnerId, after, limit }: PageQuery) {
      const older = after && { $or: beyond(after, -1) };
      return await model
        .find({ partner_id: partnerId, ...older })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit)
        .lean<ApiKey[]>();
    },
    async removeSome(partnerId: number, limit: number) {
      return await removeSomeOf(model, partnerId, limit);
    },
    async insert(key: ApiKey, tx: Session) {
      await model.insertMany([key], { session: tx });
    },
    async update(
      id: number,
      change: Partial<Pick<ApiKey, 'expires_at' | 'revoked_at' | 'replaced_by'>>,
      tx: Session,
    ) {
      return await model
        .findOneAndUpdate({ _id: id }, { $set: change }, { session: tx, returnDocument: 'after' })
        .orFail()
        .lean<ApiKey>();
    },
    async listLive(now: Date) {
      return await model
        .find({ revoked_at: null, $or: [{ expires_at: null }, { expires_at: { $gt: now } }] })
        .sort({ _id: 1 })
        .lean<ApiKey[]>();
    },
    /** Compare-and-set: of several in parallel, one writes. */
    async rehash(
      { _id, secret_hmac }: ApiKey,
      change: { readonly secret_hmac: string; readonly pepper_id: string },
    ) {
      await model.updateOne({ _id, secret_hmac }, { $set: change });
    },
    /** Compare-and-set: of several in parallel, one writes. */
    async recordUse(id: number, now: Date, before: Date) {
      await model.updateOne(
        { _id: id, $or: [{ last_used_at: null }, { last_used_at: { $lt: before } }] },
        { $set: { last_used_at: now } },
      );
    },
  };
}

export function isKeyTaken(error: unknown): boolean {
  return isDuplicateKey(error, 'api_key');
}
