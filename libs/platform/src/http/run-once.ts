import { createHash } from 'node:crypto';
import type { Operation, OperationName, Principal } from '@casewatch/contracts';
import { ApiError } from '../errors.ts';
import type { Attempt, Idempotency, PersonKey, RememberedAnswer } from '../store/idempotency.ts';
import type { Logger } from '../telemetry/logger.ts';
import { withDeadline } from '../timing/deadline.ts';
import { withoutTimeLimit } from '../timing/time-left.ts';
import type { Answer, Call, Remember } from './handler.ts';

type SignedIn = Exclude<Principal, { kind: 'anonymous' }>;

type Options = {
  row: Operation & { name: OperationName };
  idempotency: Idempotency | undefined;
  log: Logger;
};

/** Visible characters, without the quotes of a structured field (IETF draft "The Idempotency-Key HTTP Header Field"). */
const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** Runs a creation once for each Idempotency-Key (interface.md §1). The same key, path and body return the first 2xx answer. */
export async function runOnce(
  { row, idempotency, log }: Options,
  call: Call<OperationName>,
  handler: (call: Call<OperationName>) => Promise<Answer<OperationName>>,
): Promise<Answer<OperationName>> {
  const key = readKey(call.header('idempotency-key'));
  if (key === undefined || !row.idempotent || !idempotency || call.caller.kind === 'anonymous') {
    return await handler(call);
  }
  const { caller, params } = call;
  const path = pathOf(row, params);
  const claim = { caller: callerName(caller), operation: row.name, path, key, body: sentWith(call) };
  const result = await idempotency.startAttempt(claim);
  if ('replay' in result) return replayOf(result.replay);
  let isRemembered = false;
  let isStored = false;
  const remember: Remember = async (session, answer, person = null) => {
    const { status = row.success.status, headers = {}, body } = answer;
    await result.attempt.remember(session, { status, headers, body }, person ?? ownerOf(caller));
    isRemembered = true;
  };
  try {
    const answer = await handler({ ...call, remember });
    if (!isRemembered) log.error({ operation: row.name }, 'response not stored for its Idempotency-Key');
    isStored = isRemembered;
    return answer;
  } finally {
    if (!isStored) await release(result.attempt, log);
  }
}

/** What has to be the same for the same answer: a file by its hash; and the query, where there is one, as of a dry run. */
function sentWith({ body, bytes, query }: Call<OperationName>): unknown {
  const sent = bytes.length > 0 ? createHash('sha256').update(bytes).digest('base64url') : body;
  return Object.keys(query).length === 0 ? sent : { query, sent };
}

/** Longer than a database takes that answers, and short beside the 2.5 s within which a call is refused. */
const releaseMs = 250;

/**
 * Runs even after the call's deadline, because the caller may retry. The refusal does not wait for a database that is away: then the
 * key is free when the database is back, or when its lease ends.
 */
async function release(attempt: Attempt, log: Logger): Promise<void> {
  const warn = (error: unknown) => log.warn({ err: error }, 'idempotency key not released');
  const released = withoutTimeLimit(() => attempt.release()).catch(warn);
  await withDeadline(released, releaseMs, 'the release of an idempotency key').catch(warn);
}

function readKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = header.replace(/^"(.*)"$/, '$1');
  if (keyPattern.test(key)) return key;
  const code = 'invalid_idempotency_key';
  const message = 'must have 1 to 255 visible characters';
  throw new ApiError(code, { faults: [{ in: 'header', parameter: 'Idempotency-Key', code, message }] });
}

/** The same for every way to write the path: with a slash at its end, or with letters that are percent-encoded. */
function pathOf({ path }: Operation, params: Record<string, unknown>): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function callerName(caller: SignedIn): `partner/${number}` | `user/${number}` {
  return caller.kind === 'partner' ? `partner/${caller.partner_id}` : `user/${caller.user_id}`;
}

/** Whose data an answer holds that names nobody else. */
function ownerOf(caller: SignedIn): PersonKey {
  return caller.kind === 'partner' ? `partner/${caller.partner_id}` : caller.user_id;
}

function replayOf({ status, headers, body }: RememberedAnswer): Answer<OperationName> {
  return { status, headers: { ...headers, 'idempotent-replayed': 'true' }, body } as Answer<OperationName>;
}
