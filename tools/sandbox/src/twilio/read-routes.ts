import type { Express, Request } from 'express';
import { pathText, queryText } from '../http/read-request.ts';
import { type Account, requireAccount } from './account.ts';
import { bareNumber, type Message } from './message.ts';
import { presentMessage } from './present-message.ts';
import { sendError } from './send-error.ts';

/** `GET …/Messages/{sid}.json` and the list of messages, newest first. */
export function mountRead(
  app: Express,
  context: { account: Account; messages: () => readonly Message[] },
): void {
  const { account, messages } = context;
  const base = '/2010-04-01/Accounts/:account';
  app.get(`${base}/Messages.json`, requireAccount(account), (req, res) => {
    const size = pageNumber(req, 'PageSize', 50, 1000);
    const page = pageNumber(req, 'Page', 0, Number.MAX_SAFE_INTEGER);
    const matching = messages().filter(matcher(req)).reverse();
    const pageRows = matching.slice(page * size, (page + 1) * size);
    const uriOf = (number: number) => pageUri(req, number);
    res.json({
      messages: pageRows.map((message) => presentMessage(message, account.sid)),
      page,
      page_size: size,
      start: page * size,
      end: page * size + Math.max(0, pageRows.length - 1),
      uri: req.originalUrl,
      first_page_uri: uriOf(0),
      next_page_uri: (page + 1) * size < matching.length ? uriOf(page + 1) : null,
      previous_page_uri: page > 0 ? uriOf(page - 1) : null,
    });
  });
  app.get(`${base}/Messages/:file`, requireAccount(account), (req, res) => {
    const sid = pathText(req, 'file').replace(/\.json$/, '');
    const message = messages().find((candidate) => candidate.sid === sid);
    if (message === undefined) {
      sendError(res, { status: 404, code: 20404, message: 'The requested resource was not found' });
      return;
    }
    res.json(presentMessage(message, account.sid));
  });
}

/** Filters by number with channel, and by the time of sending, or of creation until then. */
function matcher(req: Request): (message: Message) => boolean {
  const [to, from] = [queryText(req, 'To'), queryText(req, 'From')];
  const [after, before] = [queryText(req, 'DateSent>'), queryText(req, 'DateSent<')];
  const same = (wanted: string | undefined, number: string) =>
    wanted === undefined || channelled(wanted) === channelled(number);
  return (message) => {
    const at = Date.parse(message.sent_at ?? message.created_at);
    if (after !== undefined && at < Date.parse(after)) return false;
    if (before !== undefined && at > Date.parse(before)) return false;
    return same(to, message.to) && same(from, message.from);
  };
}

function channelled(number: string): string {
  return (/^whatsapp:/i.test(number) ? 'whatsapp:' : '') + bareNumber(number);
}

function pageNumber(req: Request, name: string, fallback: number, most: number): number {
  const text = queryText(req, name);
  const value = text === undefined ? fallback : Number(text);
  return Number.isInteger(value) && value >= 0 ? Math.min(value, most) || fallback : fallback;
}

function pageUri(req: Request, page: number): string {
  const url = new URL(req.originalUrl, 'http://twilio.invalid');
  url.searchParams.set('Page', String(page));
  return url.pathname + url.search;
}
