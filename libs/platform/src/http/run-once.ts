import type { Operation, OperationName, Principal } from '@casewatch/contracts';
import { ApiError } from '../errors.ts';
import type { Attempt, Idempotency, RememberedAnswer } from '../store/idempotency.ts';
import type { Logger } from '../telemetry/logger.ts';
import { withoutTimeLimit } from '../timing/time-left.ts';
import type { Answer, Call, Remember } from './handler.ts';

type Options = {
  row: Operation & { name: OperationName };
  idempotency: Idempotency | undefined;
  log: Logger;
};

/** Visible characters; a structured field's quotes are taken off (IETF draft "The Idempotency-Key HTTP Header Field"). */
const keyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a creation once per Idempotency-Key (interface.md §1): the same key, path and body give the first 2xx answer
 * again. Without a key, or where the operation takes none, the handler simply runs.
 * @throws ApiError invalid_idempotency_key, idempotency_key_reused, idempotency_in_progress
 */
export async function runOnce(
  { row, idempotency, log }: Options,
  call: Call<OperationName>,
  handler: (call: Call<OperationName>) => Promise<Answer<OperationName>>,
): Promise<Answer<OperationName>> {
  const key = readKey(call.header('idempotency-key'));
  if (key === undefined || !row.idempotent || !idempotency || call.caller.kind === 'anonymous') {
    return await handler(call);
  }
  const claim = {
    caller: callerName(call.caller),
    operation: row.name,
    path: pathOf(call.url),
    key,
    body: call.body,
  };
  const begun = await idempotency.begin(claim);
  if ('replay' in begun) return replayed(begun.replay);
  let isRemembered = false;
  const remember: Remember = async (session, answer, userId = null) => {
    await begun.attempt.remember(session, toRemember(row, answer), userId);
    isRemembered = true;
  };
  try {
    const answer = await handler({ ...call, remember });
    if (!isRemembered) log.error({ operation: row.name }, 'response not stored for its Idempotency-Key');
    return answer;
  } finally {
    await release(begun.attempt, log);
  }
}

/** A key that is not freed now is free when its lease ends. It is freed after the call's time too: the caller tries again. */
async function release(attempt: Attempt, log: Logger): Promise<void> {
  await withoutTimeLimit(() => attempt.release()).catch((error: unknown) =>
    log.warn({ err: error }, 'idempotency key not released'),
  );
}

function readKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = header.replace(/^"(.*)"$/, '$1');
  if (keyPattern.test(key)) return key;
  throw new ApiError('invalid_idempotency_key', {
    faults: [
      {
        in: 'header',
        parameter: 'Idempotency-Key',
        code: 'invalid_idempotency_key',
        message: 'has 1 to 255 visible characters',
      },
    ],
  });
}

function callerName(caller: Exclude<Principal, { kind: 'anonymous' }>): string {
  return caller.kind === 'partner' ? `partner/${caller.partner_id}` : `user/${caller.user_id}`;
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? url;
}

function toRemember(row: Operation, { status, headers, body }: Answer<OperationName>): RememberedAnswer {
  return { status: status ?? row.success.status, headers: headers ?? {}, body };
}

function replayed({ status, headers, body }: RememberedAnswer): Answer<OperationName> {
  return { status, headers: { ...headers, 'idempotent-replayed': 'true' }, body } as Answer<OperationName>;
}
