import type { RequestHandler } from 'express';
import { pathText } from '../http/read-request.ts';
import { sendError } from './send-error.ts';

export interface Account {
  sid: string;
  authToken: string;
}

/** HTTP Basic with the account's sid and token. */
export function requireBasic({ sid, authToken }: Account): RequestHandler {
  const expected = `Basic ${Buffer.from(`${sid}:${authToken}`).toString('base64')}`;
  return (req, res, next) => {
    if (req.get('authorization') === expected) next();
    else sendError(res, { status: 401, code: 20003, message: 'Authenticate' });
  };
}

/** HTTP Basic, for the account's own path only. */
export function requireAccount(account: Account): RequestHandler {
  const { sid, authToken } = account;
  const expected = `Basic ${Buffer.from(`${sid}:${authToken}`).toString('base64')}`;
  return (req, res, next) => {
    if (req.get('authorization') !== expected) {
      sendError(res, { status: 401, code: 20003, message: 'Authenticate' });
    } else if (pathText(req, 'account') !== sid) {
      sendError(res, { status: 404, code: 20404, message: 'The requested resource was not found' });
    } else next();
  };
}
