import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Express, Request, Response } from 'express';
import { readJson } from '../http/create-app.ts';
import { parseBody, pathText, queryText } from '../http/read-request.ts';
import { advanceCase } from './advance-case.ts';
import { faultBody } from './fault.ts';
import type { Journal } from './journal.ts';
import { limits, limitsBody } from './limits.ts';
import { requireReceipt } from './receipt.ts';
import { receiptBody } from './served-case.ts';
import { type Tokens, tokenBody } from './tokens.ts';
import { verbatimBody } from './verbatim.ts';
import { changeCase, type Transition, type World } from './world.ts';

/** `renew` resets the world. */
interface Control {
  world: () => World;
  renew: () => void;
  journal: Journal;
  tokens: Tokens;
}

/** Control operations of the USCIS stand-in (the table in README.md). */
export function mountControl(app: Express, control: Control): void {
  const { world } = control;
  const receiptOf = (req: Request) => requireReceipt(pathText(req, 'receipt'));
  const change = (request: Omit<Transition, 'time'>, at: Date) => {
    const transition = changeCase(world(), request, at);
    if (transition !== null) control.journal.note({ transition });
  };
  app.put('/sandbox/receipts/:receipt', readJson, (req, res) => {
    const served = parseBody(receiptBody, req.body);
    const receipt = receiptOf(req);
    change({ receipt, action: 'put', served }, new Date());
    res.json({ receipt, ...served });
  });
  app.post('/sandbox/receipts/:receipt/advance', (req, res) => {
    const receipt = receiptOf(req);
    const at = new Date();
    const served = advanceCase(receipt, world().cases.get(receipt), at);
    change({ receipt, action: 'advance', served }, at);
    res.json({ receipt, ...served });
  });
  app.put('/sandbox/receipts/:receipt/answer', readJson, (req, res) => {
    const answer = parseBody(verbatimBody, req.body);
    const receipt = receiptOf(req);
    const served = world().cases.get(receipt) ?? null;
    change({ receipt, action: 'answer', served, answer }, new Date());
    res.json(answer);
  });
  app.delete('/sandbox/receipts/:receipt', (req, res) => {
    change({ receipt: receiptOf(req), action: 'delete', served: null }, new Date());
    res.status(204).end();
  });
  mountSettings(app, control);
  mountRecords(app, control);
}

function mountSettings(app: Express, { world, renew, journal: keeper, tokens }: Control): void {
  app.put('/sandbox/tokens', readJson, (req, res) => {
    const { revoke, ...settings } = parseBody(tokenBody, req.body);
    world().tokenSettings = settings;
    if (revoke) tokens.revokeAll();
    res.json(settings);
  });
  app.put('/sandbox/token/answer', readJson, (req, res) => {
    world().tokenAnswer = parseBody(verbatimBody, req.body);
    res.json(world().tokenAnswer);
  });
  app.put('/sandbox/faults', readJson, (req, res) => {
    world().fault = parseBody(faultBody, req.body);
    res.json(world().fault);
  });
  app.put('/sandbox/limits', readJson, (req, res) => {
    world().limits = limits.parse({ ...world().limits, ...parseBody(limitsBody, req.body) });
    keeper.note({ limits: world().limits });
    res.json(world().limits);
  });
  app.delete('/sandbox', (_req, res) => {
    renew();
    keeper.restart();
    res.status(204).end();
  });
}

function mountRecords(app: Express, { world }: Control): void {
  app.get('/sandbox/requests', async (req, res) => {
    const receipt = queryText(req, 'receipt')?.toUpperCase();
    const { ledger } = world();
    const rows =
      receipt === undefined ? ledger.slice() : ledger.filter((row) => row.receipt.toUpperCase() === receipt);
    await sendRows(res, rows);
  });
  app.get('/sandbox/tokens', async (_req, res) => {
    await sendRows(res, world().tokenRequests.slice());
  });
  app.get('/sandbox/transitions', async (_req, res) => {
    await sendRows(res, world().transitions.slice());
  });
}

/** Rows per piece: a long ledger may not delay a request whose arrival is timed. */
const PIECE = 500;

/** Sends an array in pieces: a ledger of days is larger than the longest string. */
async function sendRows(res: Response, rows: readonly unknown[]): Promise<void> {
  res.type('json');
  await pipeline(Readable.from(pieces(rows)), res);
}

function* pieces(rows: readonly unknown[]): Generator<string> {
  yield '[';
  for (let start = 0; start < rows.length; start += PIECE) {
    const piece = JSON.stringify(rows.slice(start, start + PIECE)).slice(1, -1);
    yield start === 0 ? piece : `,${piece}`;
  }
  yield ']';
}
