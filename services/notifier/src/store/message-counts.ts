import { hasPassed } from '@casewatch/platform/database';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';

export type DueMessages = { count: number; oldestSeconds: number };
export type StatusCount = { status: string; code: string | null; count: number };

/** The first word of an error is its code; a skipped notification has a reason. */
const codeOfError = { $first: { $split: [{ $ifNull: ['$last_error', 'unknown'] }, ':'] } };
const code = { $cond: [{ $eq: ['$status', 'failed'] }, codeOfError, { $ifNull: ['$reason', null] }] };

/** Messages that match, by status and code. */
export async function countByStatus<Row>(model: Model<Row>, match: QueryFilter<Row>): Promise<StatusCount[]> {
  return await model.aggregate<StatusCount>([
    { $match: match },
    { $group: { _id: { status: '$status', code }, count: { $sum: 1 } } },
    { $sort: { count: -1 } },
    { $project: { _id: 0, status: '$_id.status', code: '$_id.code', count: 1 } },
  ] as PipelineStage[]);
}

const maxCounted = 10_000;

/** Messages that should have been sent by now. `oldestSeconds`: how long the oldest has waited, whatever was tried meanwhile. */
export type Unsent = { count: number; oldestSeconds: number };

const maxUnsent = 1_000;

/** Reads the first keys of an index of `since`, so that a long queue costs no more than a short one. */
export async function readUnsent<Row>(
  model: Model<Row>,
  match: QueryFilter<Row>,
  since: string,
): Promise<Unsent> {
  const seconds = { $dateDiff: { startDate: `$${since}`, endDate: '$$NOW', unit: 'second' } };
  const [unsent] = await model.aggregate<Unsent>([
    { $match: { ...match, ...hasPassed(since) } },
    { $sort: { [since]: 1 } },
    { $limit: maxUnsent },
    { $group: { _id: null, count: { $sum: 1 }, oldestSeconds: { $max: seconds } } },
  ] as PipelineStage[]);
  return unsent ?? { count: 0, oldestSeconds: 0 };
}

/** Messages that match and whose time in `field` has passed. */
export async function countDue<Row>(
  model: Model<Row>,
  match: QueryFilter<Row>,
  field: string,
): Promise<DueMessages> {
  const seconds = { $dateDiff: { startDate: `$${field}`, endDate: '$$NOW', unit: 'second' } };
  const [due] = await model.aggregate<DueMessages>([
    { $match: { ...match, ...hasPassed(field) } },
    { $limit: maxCounted },
    { $group: { _id: null, count: { $sum: 1 }, oldestSeconds: { $max: seconds } } },
  ] as PipelineStage[]);
  return due ?? { count: 0, oldestSeconds: 0 };
}
