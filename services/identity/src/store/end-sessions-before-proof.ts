import type { Migration } from '@casewatch/platform/database';
import { keptMs } from './sessions.ts';

/**
 * Ends each session that began before the user's address was verified. In an earlier release, sessions of the previous holder
 * of the address survived the verification.
 */
export const endSessionsBeforeProof: Migration = {
  id: '0001-end-sessions-before-proof',
  async run(db, signal) {
    const sessions = db.collection('sessions');
    const rows = sessions.aggregate([
      { $match: { ended_at: null } },
      { $lookup: { from: 'users', localField: 'user_id', foreignField: '_id', as: 'user' } },
      { $match: { $expr: { $lt: ['$signed_in_at', { $first: '$user.email_verified_at' }] } } },
      { $project: { _id: 1 } },
    ]);
    for await (const { _id } of rows) {
      signal.throwIfAborted();
      const end = { ended_at: '$$NOW', delete_at: { $add: ['$$NOW', keptMs] } };
      await sessions.updateOne({ _id, ended_at: null }, [{ $set: end }]);
    }
  },
};
