import type { Scope } from '@casewatch/contracts';
import { type Connection, isDuplicateKey, type Session } from '@casewatch/platform';
import mongoose from 'mongoose';

/** A partner's key. `_id` names it in logs and commands; `api_key` is what the partner sends. */
export type ApiKey = {
  _id: number;
  partner_id: number;
  name: string;
  api_key: string;
  /** HMAC-SHA-256(pepper, hex SHA-256 of the secret), hex. */
  secret_hmac: string;
  scopes: Scope[];
  /** Addresses or CIDR ranges; empty: from anywhere. */
  allowed_ips: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
};

const schema = new mongoose.Schema<ApiKey>(
  {
    _id: Number,
    partner_id: Number,
    name: String,
    api_key: String,
    secret_hmac: String,
    scopes: [String],
    allowed_ips: [String],
    expires_at: Date,
    revoked_at: Date,
    last_used_at: Date,
    created_at: Date,
  },
  { versionKey: false, id: false, collection: 'api_keys' },
);
schema.index({ api_key: 1 }, { name: 'api_key', unique: true });
schema.index({ partner_id: 1 }, { name: 'partner' });

export function createApiKeyStore(db: Connection) {
  const model = db.model<ApiKey>('api_keys', schema);
  return {
    async prepare() {
      await model.createCollection();
      await model.createIndexes();
    },
    async findByKey(apiKey: string) {
      return await model.findOne({ api_key: apiKey }).lean<ApiKey>();
    },
    async ofPartner(partnerId: number) {
      return await model.find({ partner_id: partnerId }).sort({ _id: 1 }).lean<ApiKey[]>();
    },
    async insert(key: ApiKey, session?: Session) {
      await model.insertMany([key], session ? { session } : {});
    },
    /** Revokes once; a second time changes nothing. Null where there is no such key. */
    async revoke(id: number, now: Date) {
      await model.updateOne({ _id: id, revoked_at: null }, { $set: { revoked_at: now } });
      return await model.findById(id).lean<ApiKey>();
    },
    /** Replicas that note a use at once write once. */
    async noteUse(id: number, now: Date, before: Date) {
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
