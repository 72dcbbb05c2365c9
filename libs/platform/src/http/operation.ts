import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Operation, OperationName } from '@casewatch/contracts';
import type { Response } from 'express';
import { type AuditLog, recordCall } from '../audit/record-call.ts';
import { ApiError } from '../errors.ts';
import type { Idempotency } from '../store/idempotency.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Clock } from '../timing/clock.ts';
import { withDeadline } from '../timing/deadline.ts';
import { readTimeLeft, timeLeftHeader, withTimeLeft } from '../timing/time-left.ts';
import { assertRecentSignIn, authorise } from './authorise.ts';
import { parseCall } from './call.ts';
import { type PrincipalVerifier, principalHeader } from './callers/principal.ts';
import type { Answer, Handler } from './handler.ts';
import { createBodyReader } from './request-body.ts';
import { localsOf, sendText } from './response.ts';
import type { OperationHandler, Route } from './routes.ts';
import { runOnce } from './run-once.ts';

export type AnyHandler = Handler<OperationName>;

export type OperationOptions = {
  verifier: PrincipalVerifier;
  /** See Foundation. */
  measured?: () => Promise<void> | undefined;
  clock: Clock;
  idempotency: Idempotency | undefined;
  audit: AuditLog | undefined;
  log: Logger;
  checkAnswers: boolean;
};

/** Serves one operation of a service: parse, authorise, run once, record, answer. */
export function createOperation(
  row: Route,
  handler: AnyHandler,
  options: OperationOptions,
): OperationHandler {
  const { verifier, measured, clock, checkAnswers, audit, ...runOptions } = options;
  const readBody = createBodyReader(row);
  return async (req, res) => {
    const locals = localsOf(res);
    locals.operation = row.name;
    // A GET with an effect must not have it.
    if (row.effectOnGet && req.method === 'HEAD') {
      res.status(200).end();
      return;
    }
    await measured?.();
    // Before the body: nobody but the gateway gets memory for one.
    const signed = verifier(req.get(principalHeader), { method: req.method, path: req.path });
    locals.principal = signed.principal;
    authorise(row, signed.principal);
    assertRecentSignIn(row, signed.principal, clock.now());
    await readBody(req, res);
    const leftMs = readTimeLeft(req.get(timeLeftHeader), row.deadlineMs);
    const call = parseCall(row, req, signed);
    const recorded = { row, signed, params: call.params, query: call.query, audit, now: clock.now() };
    const work = withTimeLeft(leftMs, () =>
      recordCall(recorded, () => runOnce({ row, ...runOptions }, call, handler)),
    );
    const answer = await answerWithin(work, { row, leftMs, checkAnswers });
    if (answer.file !== undefined && row.file !== undefined)
      await sendFile(
        { ...row.file, parts: answer.file },
        { isHead: req.method === 'HEAD', res, log: options.log },
      );
    else send(row, answer, res);
  };
}

type Awaited = { row: Route; leftMs: number } & Pick<OperationOptions, 'checkAnswers'>;

/** @throws ApiError service_unavailable after `leftMs`; internal_error for an answer that its schema refuses */
export async function answerWithin(
  work: Promise<Answer<OperationName>>,
  { row, leftMs, checkAnswers }: Awaited,
): Promise<Answer<OperationName>> {
  const answer = await withDeadline(work, leftMs, row.name);
  if (checkAnswers) assertAnswer(row, answer);
  return answer;
}

/** The body as JSON text, or the page. */
export function textOf({ page, json, body }: Answer<OperationName>): string {
  return page ?? json ?? JSON.stringify(body ?? null);
}

function send({ success }: Operation, answer: Answer<OperationName>, res: Response): void {
  res.status(answer.status ?? success.status).set(answer.headers ?? {});
  if (answer.page === undefined && success.body === null) {
    res.end();
    return;
  }
  const type = answer.page === undefined ? 'application/json' : 'text/html';
  res.set('content-type', `${type}; charset=utf-8`);
  sendText(res, textOf(answer));
}

type SentFile = NonNullable<Operation['file']> & { parts: AsyncIterable<string> };

/** As fast as the client takes it. A part that fails breaks the connection off: half a file must not look like a whole one. */
async function sendFile(
  { name, type, parts }: SentFile,
  { isHead, res, log }: { isHead: boolean; res: Response; log: Logger },
): Promise<void> {
  res.status(200).set({
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': `attachment; filename="${name}"`,
  });
  if (isHead) {
    res.end();
    return;
  }
  try {
    await pipeline(Readable.from(parts, { objectMode: true, highWaterMark: 1 }), res);
  } catch (error) {
    // The head is sent: there is no other answer. A client that left is no failure of ours.
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      log.warn({ err: error, file: name }, 'file broken off');
    res.destroy();
  }
}

function assertAnswer(row: Route, { status, body, json, page }: Answer<OperationName>): void {
  const { name, success, toAnonymous } = row;
  if (row.file !== undefined) return;
  if (page !== undefined || success.body === null) return;
  const expected = status === toAnonymous?.status ? toAnonymous?.body : success.body;
  const parsed = expected?.safeParse(json === undefined ? body : JSON.parse(json));
  if (!parsed?.error) return;
  const places = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new ApiError('internal_error', { detail: `answer of ${name} does not match its schema: ${places}` });
}
