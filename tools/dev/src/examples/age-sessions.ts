import mongoose from 'mongoose';
import { Problem } from '../problem.ts';

const HOUR_MS = 3_600_000;

/** Puts a user's signing in back by an hour in identity's database, as nothing but time does. */
export async function ageSessions(mongodbUrl: string | undefined, userId: number): Promise<void> {
  if (mongodbUrl === undefined) throw new Problem('dev-env.json does not say where identity keeps its data.');
  const connection = await mongoose.createConnection(mongodbUrl).asPromise();
  try {
    await connection
      .collection('sessions')
      .updateMany({ user_id: userId }, { $set: { signed_in_at: new Date(Date.now() - HOUR_MS) } });
  } finally {
    await connection.close();
  }
}
