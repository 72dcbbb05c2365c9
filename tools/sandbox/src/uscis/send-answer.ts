import type { Response } from 'express';
import { pause } from '../http/pause.ts';
import { writeForever } from '../http/write-forever.ts';
import { type Answer, refusal } from './answer.ts';
import type { Fault } from './fault.ts';
import { brokenLinks } from './present-case.ts';
import type { LedgerRow, World } from './world.ts';

/** Sends the answer, changed by the fault, and writes the sent status to the ledger row. */
export async function sendAnswer(res: Response, answer: Answer, context: SendContext): Promise<void> {
  const { row, fault } = context;
  const mode = fault?.mode ?? 'none';
  if (mode === 'hang') return;
  await pause(fault?.delay_ms ?? (mode === 'slow' ? 5000 : 0));
  const { status, body, type } = applyFault(answer, context);
  row.status = status;
  res.status(status).set('Content-Type', type);
  if (mode === 'endless') return writeForever(res);
  if (mode !== 'truncated') {
    res.end(mode === 'half' ? body.slice(0, Math.ceil(body.length / 2)) : body);
    return;
  }
  res.set('Content-Length', String(Buffer.byteLength(body)));
  res.write(body.slice(0, Math.ceil(body.length / 2)), () => res.destroy());
}

export interface SendContext {
  world: World;
  row: LedgerRow;
  fault: Fault | null;
}

const JSON_TYPE = 'application/json';

function applyFault(answer: Answer, { world, fault }: SendContext): Answer & { type: string } {
  if (fault?.mode === 'status') {
    const turn = world.refusals;
    world.refusals += 1;
    return { ...refusal(fault.status ?? 500, turn, fault.message), type: JSON_TYPE };
  }
  if (fault?.mode === 'garbage')
    return { status: 200, body: '\u0001{"case_status":]]\u0000~~#', type: JSON_TYPE };
  if (fault?.mode === 'html')
    return { status: fault.status ?? 200, body: MAINTENANCE, type: 'text/html; charset=utf-8' };
  if (fault?.mode === 'wrong_type') return { status: 200, body: WRONG_TYPES, type: JSON_TYPE };
  if (fault?.mode === 'broken') return { ...answer, body: brokenLinks(answer.body), type: JSON_TYPE };
  return { ...answer, type: JSON_TYPE };
}

const WRONG_TYPES = JSON.stringify({
  case_status: {
    receiptNumber: 7,
    current_case_status_text_en: ['Case Was Received'],
    hist_case_status: 'none',
  },
});

const MAINTENANCE =
  '<!doctype html><html><head><title>Scheduled maintenance</title></head><body><h1>We will be back soon</h1></body></html>';
