import type { Express } from 'express';
import { pathText } from '../http/read-request.ts';
import { answerCase } from './answer-case.ts';
import { faultFor } from './fault.ts';
import { sendAnswer } from './send-answer.ts';
import type { Tokens } from './tokens.ts';
import type { World } from './world.ts';

/** `GET /case-status/{receipt}`: judged and written down the moment it arrives; a fault then meets the answer. */
export function mountCase(app: Express, { tokens, world }: { tokens: Tokens; world: () => World }): void {
  app.get('/case-status/:receipt', async (req, res) => {
    const monotonicMs = performance.now();
    const at = new Date();
    const receipt = pathText(req, 'receipt');
    const present = world();
    const fault = faultFor(present.fault, receipt);
    const authorization = req.get('authorization');
    const row = {
      time: at.toISOString(),
      receipt,
      status: 0,
      fault: fault?.mode ?? null,
      monotonic_ms: monotonicMs,
      token: tokens.numberOf(authorization),
    };
    present.ledger.push(row);
    const answer = answerCase(present, tokens, { receipt, authorization, at, monotonicMs });
    await sendAnswer(res, answer, { world: present, row, fault });
  });
}
