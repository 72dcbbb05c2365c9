import express, { type Express, type Response } from 'express';
import { type Account, requireAccount } from './account.ts';
import { type CallbackSender, deliver } from './callbacks.ts';
import type { Contents } from './contents.ts';
import { type Fault, faultFor } from './fault.ts';
import { bareNumber, type Message, newMessageSid } from './message.ts';
import { OUTSIDE_WINDOW, planFor } from './plan.ts';
import { presentMessage } from './present-message.ts';
import { type MessageRequest, readMessageRequest } from './read-message-request.ts';
import { generalCode, sendError, sendHtml } from './send-error.ts';

export interface Exchange {
  messages: Message[];
  fault: Fault;
  contents: Contents;
  /** When a person wrote last, ms, by number. */
  wroteAt: Map<string, number>;
}

/** `POST /2010-04-01/Accounts/{sid}/Messages.json`: 201 queued, unless the number or a fault decides otherwise. */
export function mountCreate(
  app: Express,
  context: { account: Account; courier: CallbackSender; exchange: Exchange },
): void {
  const { account, courier, exchange } = context;
  const path = '/2010-04-01/Accounts/:account/Messages.json';
  app.post(path, requireAccount(account), express.urlencoded({ extended: false }), (req, res) => {
    const read = readMessageRequest(req.body);
    if ('refusal' in read) {
      sendError(res, read.refusal);
      return;
    }
    const { order } = read;
    const fault = faultFor(exchange.fault, order);
    const plan = isOutsideWindow(order, exchange) ? OUTSIDE_WINDOW : planFor(order.to);
    if (fault !== null && refuseByFault(res, fault)) return;
    if (plan.refuse !== undefined) sendError(res, plan.refuse);
    else if (plan.html === true) sendHtml(res, 503);
    else {
      const message = newMessage(order);
      exchange.messages.push(message);
      const queued = presentMessage(message, account.sid);
      const isWithheld = fault?.mode === 'withhold';
      deliver(message, plan.steps, { ...courier, isWithheld, delayMs: fault?.delay_ms ?? 0 });
      if (fault?.mode === 'drop') res.destroy();
      else if (fault?.mode !== 'hang' && plan.hang !== true) res.status(201).json(queued);
    }
  });
}

/** WhatsApp takes free text only for 24 hours after the person wrote (error 63016). */
function isOutsideWindow({ to, contentSid }: MessageRequest, { wroteAt }: Exchange): boolean {
  if (contentSid !== null || !to.startsWith('whatsapp:')) return false;
  return Date.now() - (wroteAt.get(bareNumber(to)) ?? 0) > 24 * 60 * 60 * 1_000;
}

/** @returns whether the fault has answered; the message is not stored then */
export function refuseByFault(res: Response, { mode, status, code, message }: Fault): boolean {
  if (mode === 'html') sendHtml(res, status ?? 503);
  else if (mode === 'status') {
    const statusCode = status ?? 500;
    sendError(res, {
      status: statusCode,
      code: code ?? generalCode(statusCode),
      message: message ?? 'Refused by a fault',
    });
  } else return false;
  return true;
}

function newMessage(order: MessageRequest): Message {
  const now = new Date().toISOString();
  return {
    sid: newMessageSid(),
    to: order.to,
    from: order.from,
    body: order.body,
    content_sid: order.contentSid,
    content_variables: order.contentVariables,
    status: 'queued',
    error_code: null,
    status_callback: order.statusCallback,
    created_at: now,
    updated_at: now,
    sent_at: null,
    callbacks: [],
  };
}
