import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@casewatch/contracts';

/** Replies of `owner` to the requests of `asker` arrive below this subject, where only `owner` may publish. */
export function replyPrefix(asker: ServiceName, owner: ServiceName): string {
  return `_INBOX_${asker}.${owner}`;
}

/** A reply subject for one request. No other service can guess it. */
export function newReplySubject(asker: ServiceName, owner: ServiceName): string {
  return `${replyPrefix(asker, owner)}.${randomUUID()}`;
}
