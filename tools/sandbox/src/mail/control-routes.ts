import type { Express } from 'express';
import { ControlError } from '../http/control-error.ts';
import { readJson } from '../http/create-app.ts';
import { parseBody, pathText, queryText } from '../http/read-request.ts';
import { faultBody } from './fault.ts';
import { isSentTo } from './mail.ts';
import { sendMailbox, sendOneMail } from './mailbox-page.ts';
import type { Catcher } from './smtp.ts';

/** Control operations (README.md) and pages of the mail catcher. */
export function mountControl(app: Express, catcher: Catcher): void {
  const find = (id: string) => {
    const mail = catcher.mails.find((candidate) => candidate.id === id);
    if (mail === undefined) throw new ControlError(404, 'There is no such mail.');
    return mail;
  };
  app.get('/sandbox/mails', (req, res) => {
    const to = queryText(req, 'to');
    res.json(to === undefined ? catcher.mails : catcher.mails.filter((mail) => isSentTo(mail, to)));
  });
  app.get('/sandbox/mails/:id', (req, res) => {
    res.json(find(pathText(req, 'id')));
  });
  app.delete('/sandbox/mails', (_req, res) => {
    catcher.mails = [];
    res.status(204).end();
  });
  app.put('/sandbox/faults', readJson, (req, res) => {
    catcher.fault = parseBody(faultBody, req.body);
    res.json(catcher.fault);
  });
  app.get('/', (_req, res) => sendMailbox(res, catcher));
  app.get('/mails/:id', (req, res) => sendOneMail(res, find(pathText(req, 'id'))));
}
