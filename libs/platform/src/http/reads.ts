import { type Operation, type OperationName, ordinaryDeadlineMs } from '@casewatch/contracts';
import type { Response } from 'express';
import { z } from 'zod';
import { recordCall } from '../audit/record-call.ts';
import { toProblem } from '../errors.ts';
import { readTimeLeft, timeLeftHeader, withTimeLeft } from '../timing/time-left.ts';
import { assertRecentSignIn, authorise, callerOf } from './authorise.ts';
import { parseCall } from './call.ts';
import { principalHeader } from './callers/principal.ts';
import { type AnyHandler, answerWithin, type OperationOptions, textOf } from './operation.ts';
import { createBodyReader } from './request-body.ts';
import { localsOf, sendText } from './response.ts';
import type { OperationHandler, Route } from './routes.ts';
import { logFailure, retryAfterHeader } from './send-error.ts';

/** Each service answers several reads of one caller in one request: `POST /reads`. Only the gateway reaches it, for its pages. */
export const readsPath = '/reads';

/** Most reads of one request. */
export const maxReads = 20;

const texts = z.record(z.string(), z.string());

/** `params` and `query` as they stand in an address, decoded. */
export const readsRequest = z.strictObject({
  reads: z
    .array(z.strictObject({ operation: z.string(), params: texts, query: texts }))
    .min(1)
    .max(maxReads),
});

/** In the order of the reads. `body`: JSON text of the answer, or of the problem. */
export const readsReply = z.object({
  answers: z.array(z.object({ status: z.int(), body: z.string(), retry_after_s: z.number().optional() })),
});

type Read = z.output<typeof readsRequest>['reads'][number];
type ReadAnswer = z.output<typeof readsReply>['answers'][number];

/** A read that can be answered beside others: without an effect, with a JSON answer, in the ordinary time. */
export function isSharedRead({ method, effectOnGet, page, file, success, deadlineMs }: Operation): boolean {
  const isPlain = method === 'GET' && !effectOnGet && !page && !file && success.body !== null;
  return isPlain && deadlineMs === ordinaryDeadlineMs;
}

/**
 * Serves `readsPath`: each read is authorised, parsed and answered as its operation is, and fails alone. The status of the
 * response is that of the worst failure of ours, so that metrics count it.
 */
export function createReads(
  rows: readonly Route[],
  handlerOf: (name: OperationName) => AnyHandler,
  options: Omit<OperationOptions, 'idempotency'>,
): OperationHandler {
  const rowOf = new Map<string, Route>(rows.filter(isSharedRead).map((row) => [row.name, row]));
  const readBody = createBodyReader({ body: readsRequest });
  return async (req, res) => {
    const locals = localsOf(res);
    locals.operation = 'reads';
    await options.measured?.();
    const signed = options.verifier(req.get(principalHeader), { method: req.method, path: req.path });
    locals.principal = signed.principal;
    await readBody(req, res);
    const { reads } = readsRequest.parse(req.body);
    const leftMs = readTimeLeft(req.get(timeLeftHeader), ordinaryDeadlineMs);

    async function answer({ operation, params, query }: Read): Promise<string> {
      const row = rowOf.get(operation);
      if (!row) throw new Error(`${operation} cannot be read with others`);
      const principal = callerOf(row, signed.principal);
      authorise(row, principal);
      assertRecentSignIn(row, principal, options.clock.now());
      const call = parseCall(row, req, { ...signed, principal }, { params, query, body: {} });
      const { audit, clock } = options;
      const recorded = {
        row,
        signed: { ...signed, principal },
        params: call.params,
        query: call.query,
        audit,
        now: clock.now(),
      };
      const work = withTimeLeft(leftMs, () => recordCall(recorded, () => handlerOf(row.name)(call)));
      return textOf(await answerWithin(work, { row, leftMs, ...options }));
    }

    const answers = await Promise.all(
      reads.map(async (read): Promise<ReadAnswer> => {
        try {
          return { status: 200, body: await answer(read) };
        } catch (thrown) {
          return failureOf(thrown, read);
        }
      }),
    );
    res.status(Math.max(200, ...answers.map(({ status }) => status).filter((status) => status >= 500)));
    res.set('content-type', 'application/json; charset=utf-8');
    sendText(res, JSON.stringify({ answers }));

    function failureOf(thrown: unknown, { operation }: Read): ReadAnswer {
      const ofRead: Pick<Response, 'locals'> = { locals: { ...locals, operation } };
      const error = logFailure(options.log, thrown, ofRead);
      const { retryAfterS, status } = error;
      return {
        status,
        body: JSON.stringify(toProblem(error, locals.context.request_id)),
        ...(retryAfterS !== undefined && { retry_after_s: Number(retryAfterHeader(retryAfterS)) }),
      };
    }
  };
}
