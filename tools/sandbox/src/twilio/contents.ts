import type { Express } from 'express';
import { z } from 'zod';
import { pathText } from '../http/read-request.ts';
import { type Account, requireBasic } from './account.ts';
import { sendError } from './send-error.ts';

/** Body of `PUT /sandbox/contents`: the templates of the account, by SID. */
export const contentsBody = z.record(
  z.string(),
  z.strictObject({
    language: z.string(),
    body: z.string(),
    status: z.enum(['approved', 'pending', 'rejected', 'paused']).default('approved'),
    category: z.enum(['UTILITY', 'MARKETING']).default('UTILITY'),
  }),
);

export type Contents = z.output<typeof contentsBody>;

/** `GET /v1/Content/{sid}` and its approval for WhatsApp (Twilio Content API). */
export function mountContents(
  app: Express,
  { account, contents }: { account: Account; contents: () => Contents },
): void {
  app.get('/v1/Content/:sid', requireBasic(account), (req, res) => {
    const sid = pathText(req, 'sid');
    const content = contents()[sid];
    if (!content) return sendError(res, { status: 404, code: 20404, message: 'Content was not found' });
    const types = { 'twilio/text': { body: content.body } };
    res.json({
      sid,
      account_sid: account.sid,
      friendly_name: sid,
      language: content.language,
      types,
      variables: {},
    });
  });
  app.get('/v1/Content/:sid/ApprovalRequests', requireBasic(account), (req, res) => {
    const sid = pathText(req, 'sid');
    const content = contents()[sid];
    if (!content) return sendError(res, { status: 404, code: 20404, message: 'Content was not found' });
    const { status, category } = content;
    res.json({ sid, account_sid: account.sid, whatsapp: { type: 'whatsapp', name: sid, status, category } });
  });
}
