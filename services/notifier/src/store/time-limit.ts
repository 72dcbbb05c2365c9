import mongoose from 'mongoose';

/** MongoDB's code for an operation that took longer than its maxTimeMS. */
const maxTimeExpired = 50;

export function isTimeLimit(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === maxTimeExpired;
}
