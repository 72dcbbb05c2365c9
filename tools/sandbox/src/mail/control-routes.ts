import type { Express } from 'express';
import { ControlError } from '../http/control-error.ts';
import { readJson } from '../http/create-app.ts';
import { parseBody, pathText, queryText } from '../http/read-request.ts';
import { faultBody } from './fault.ts';
import { isSentTo } from './mail.ts';
import { sendMailbox, sendOneMail } from './mailbox-page.ts';
import { type ReportKeys, reportBody } from './reports.ts';
import type { Catcher } from './smtp.ts';

/** Control operations (README.md) and pages of the mail catcher. */
export function mountControl(app: Express, catcher: Catcher, keys: ReportKeys): void {
  const find = (id: string) => {
    const mail = catcher.mails.find((candidate) => candidate.id === id);
    if (mail === undefined) throw new ControlError(404, 'There is no such mail.');
    return mail;
  };
  app.get('/sandbox/mails', (req, res) => {
    const to = queryText(req, 'to');
    const mails = catcher.mails.filter((mail) => to === undefined || isSentTo(mail, to));
    res.json(mails.map(({ raw: _raw, ...mail }) => mail));
  });
  app.get('/sandbox/receiving', (_req, res) => {
    res.json([...catcher.receiving]);
  });
  app.get('/sandbox/mails/:id', (req, res) => {
    const { raw: _raw, ...mail } = find(pathText(req, 'id'));
    res.json(mail);
  });
  app.get('/sandbox/mails/:id/raw', (req, res) => {
    res.type('message/rfc822').send(find(pathText(req, 'id')).raw);
  });
  app.post('/sandbox/reports', readJson, async (req, res) => {
    const request = parseBody(reportBody, req.body);
    const mail = catcher.mails.findLast((candidate) => isSentTo(candidate, request.to));
    const { body, headers } = keys.sign(request, mail);
    const response = await fetch(request.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    res.json({ response_status: response.status, body, headers });
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
