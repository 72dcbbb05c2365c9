import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ErrorCode,
  errorCatalogue,
  type Method,
  type Operation,
  type OperationName,
  operations,
  problem,
  type RecordedExchange,
} from '@casewatch/contracts';
import { type Addresses, type Ask, send } from '@casewatch/driver';
import { expect } from '@jest/globals';
import { createStandIns } from './stand-ins.ts';

const file = join(import.meta.dirname, '../../../libs/contracts/src/openapi/recorded-examples.json');
const isRecording = process.env.RECORD_EXAMPLES === '1';

const whole = (body: unknown): unknown => body;

export type Recorder = ReturnType<typeof createRecorder>;

type Errors = Partial<Record<ErrorCode, RecordedExchange>>;
type Recording = {
  operations: Partial<Record<OperationName, { answers: RecordedExchange[]; errors: Errors }>>;
  general: Errors;
};

/**
 * Sends the requests that the documents show. Without RECORD_EXAMPLES=1 each answer must equal the committed example;
 * with it, `finish` writes the answers as the new examples.
 */
export function createRecorder(gateway: Addresses) {
  const committed = JSON.parse(readFileSync(file, 'utf8')) as Recording;
  const recording: Recording = { operations: {}, general: {} };
  const standIn = createStandIns(gateway, new Date());

  /** Sends until the answer is not a temporary 503. */
  async function exchange(method: string, ask: Ask) {
    let answer = await send(gateway, method, ask);
    for (let tries = 1; answer.body.code === 'service_unavailable' && tries < 5; tries++) {
      await delay(1_000);
      answer = await send(gateway, method, ask);
    }
    const { path, form } = ask;
    const request = { path, ...(ask.body !== undefined && { body: ask.body }), ...(form && { form }) };
    const body = answer.status === 204 ? null : answer.body;
    return { answer, example: standIn({ request, status: answer.status, body }) };
  }

  function entryOf(name: OperationName) {
    recording.operations[name] ??= { answers: [], errors: {} };
    return recording.operations[name];
  }

  async function failure(method: string, code: ErrorCode, ask: Ask): Promise<RecordedExchange> {
    const { answer, example } = await exchange(method, ask);
    expect({ ...answer.body, status: answer.status }).toMatchObject({
      code,
      status: errorCatalogue[code].status,
    });
    problem.parse(answer.body);
    return example;
  }

  function compare(example: RecordedExchange, before: RecordedExchange | undefined): void {
    if (!isRecording) expect(example).toEqual(before);
  }

  return {
    /** A success of an operation. `shorten` keeps the part of a long answer that is shown. */
    async shows(name: OperationName, ask: Ask, shorten = whole): Promise<Record<string, unknown>> {
      const { method, success, toAnonymous }: Operation = operations[name];
      const { answer, example: full } = await exchange(method, ask);
      const example = { ...full, body: shorten(full.body) };
      const expected = answer.status === toAnonymous?.status ? toAnonymous : success;
      expect({ ...answer.body, status: answer.status }).toMatchObject({ status: expected.status });
      expected.body?.parse(answer.body);
      const { answers } = entryOf(name);
      compare(example, committed.operations[name]?.answers[answers.length]);
      answers.push(example);
      return answer.body;
    },

    /** An error of an operation. */
    async fails(name: OperationName, code: ErrorCode, ask: Ask): Promise<void> {
      const example = await failure(operations[name].method, code, ask);
      compare(example, committed.operations[name]?.errors[code]);
      entryOf(name).errors[code] = example;
    },

    /** An error that means the same at every operation. */
    async failsAnywhere(code: ErrorCode, method: Method | 'PATCH', ask: Ask): Promise<void> {
      const example = await failure(method, code, ask);
      compare(example, committed.general[code]);
      recording.general[code] = example;
    },

    /** What was sent so far. */
    recording,

    /** Writes the examples when recording; else expects that no committed example was left out. */
    finish(): void {
      const byName = Object.entries(recording.operations).sort(([a], [b]) => (a < b ? -1 : 1));
      const sorted = { ...recording, operations: Object.fromEntries(byName) };
      if (isRecording) writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
      else expect(sorted).toEqual(committed);
    },
  };
}
