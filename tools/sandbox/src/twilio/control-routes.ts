import type { Express } from 'express';
import { z } from 'zod';
import { readJson } from '../http/create-app.ts';
import { parseBody, queryText } from '../http/read-request.ts';
import { type CallbackSender, sendInbound } from './callbacks.ts';
import { contentsBody } from './contents.ts';
import type { Exchange } from './create-route.ts';
import { faultBody } from './fault.ts';
import { bareNumber } from './message.ts';
import { presentRecord } from './present-message.ts';

const inboundBody = z.strictObject({
  from: z.string(),
  body: z.string(),
  url: z.url(),
  sid: z.string().optional(),
  opt_out_type: z.enum(['STOP', 'START', 'HELP']).optional(),
  button_payload: z.string().optional(),
});

export function mountControl(app: Express, exchange: Exchange, courier: CallbackSender): void {
  app.post('/sandbox/inbound', readJson, async (req, res) => {
    const inbound = parseBody(inboundBody, req.body);
    exchange.wroteAt.set(bareNumber(inbound.from), Date.now());
    res.json({ response_status: await sendInbound(inbound, courier) });
  });
  app.put('/sandbox/contents', readJson, (req, res) => {
    exchange.contents = parseBody(contentsBody, req.body);
    res.json(exchange.contents);
  });
  app.get('/sandbox/messages', (req, res) => {
    const to = queryText(req, 'to');
    const messages = exchange.messages.filter(
      (message) => to === undefined || bareNumber(message.to) === bareNumber(to),
    );
    res.json(messages.map(presentRecord));
  });
  app.delete('/sandbox/messages', (_req, res) => {
    exchange.messages = [];
    res.status(204).end();
  });
  app.put('/sandbox/faults', readJson, (req, res) => {
    exchange.fault = parseBody(faultBody, req.body);
    res.json(exchange.fault);
  });
}
