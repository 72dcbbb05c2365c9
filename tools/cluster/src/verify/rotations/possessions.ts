import { randomInt } from 'node:crypto';
import { type Api, partnerApi, standIn, verifiedUser } from '../partner.ts';
import type { Reached } from '../reach.ts';
import { newReceipt, serve } from '../receipts.ts';
import { until } from '../wait.ts';
import { createCase } from '../witness.ts';
import { type Session, signIn } from './session.ts';

type Hooked = { signature_ok: boolean | null };
type Mail = { headers: Record<string, string> };

const titles = ['Case Was Received', 'Case Was Approved', 'Interview Was Scheduled'];
const listed = ['/client/users', '/client/cases'];

/** What partners and people have from before a rotation, and what they must be able to do with it afterwards. */
export async function gatherPossessions({ dev }: Reached) {
  const api = partnerApi(dev);
  const other = partnerApi({ ...dev, partner: dev.other_partner });
  const user = await verifiedUser(dev, api);
  const session: Session = await signIn(dev, user);
  const hook = `rotations-${randomInt(1e9)}`;
  const endpoint = await subscribe(api, `${dev.receiver_url}/hooks/${hook}`);
  const control = `${dev.receiver_url}/sandbox/hooks/${hook}`;
  await standIn(control, 'PUT', { secret: endpoint.secret });
  const receipt = newReceipt();
  await serve(dev, receipt, titles[0] ?? '');
  await baseline(api, await createCase(api, user.id, receipt));
  let changes = 0;
  let cursors = await takeCursors(api);
  let newestLink = '';
  let unsubscribe = '';

  /** A status change, until it has come by webhook, signed with the endpoint's secret, and by mail. */
  async function change(): Promise<void> {
    changes += 1;
    await serve(dev, receipt, titles[changes % titles.length] ?? '');
    await until(
      async () => {
        const signed = (await standIn<Hooked[]>(control)).filter(({ signature_ok }) => signature_ok);
        const mails = `${dev.mail_url}/sandbox/mails?to=${encodeURIComponent(user.email)}`;
        const links = (await standIn<Mail[]>(mails)).flatMap(({ headers }) => linkIn(headers));
        newestLink = links.at(-1) ?? newestLink;
        unsubscribe ||= newestLink;
        return signed.length >= changes && links.length >= changes;
      },
      { what: `change ${changes}, signed by webhook and by mail`, timeoutMs: 90_000 },
    );
  }

  return {
    change,
    session,
    /** What does not work that should: cursors, keys, the link in the last mail, the session. */
    async faults(): Promise<string[]> {
      const { status: others } = await other('GET', '/client/users?limit=1');
      const { status: link } = await fetch(unsubscribe, { headers: { accept: 'application/json' } });
      const answers: Record<string, number> = {
        "the other partner's key": others,
        'the unsubscribe link': link,
        'the access token': await session.read(),
      };
      for (const [path, cursor] of Object.entries(cursors))
        answers[`a cursor of ${path}`] = (await api('GET', withCursor(path, cursor))).status;
      return Object.entries(answers).flatMap(([what, status]) =>
        status === 200 ? [] : `${what} got ${status}`,
      );
    },
    /** Cursors and a link made with the secrets of now; older ones end with theirs, for which an operator waits. */
    async renew(): Promise<void> {
      cursors = await takeCursors(api);
      unsubscribe = newestLink;
    },
    async leave(): Promise<void> {
      await api('DELETE', `/webhooks/${endpoint.id}`);
    },
  };
}

export type Possessions = Awaited<ReturnType<typeof gatherPossessions>>;

/** A first status is what later ones are changes of. */
async function baseline(api: Api, caseId: number): Promise<void> {
  await until(
    async () =>
      ((await api<{ update_count?: number }>('GET', `/client/cases/${caseId}`)).body.update_count ?? 0) > 0,
    { what: 'the first status', timeoutMs: 60_000 },
  );
}

async function subscribe(api: Api, url: string): Promise<{ id: number; secret: string }> {
  const answer = await api<{ webhook: { id: number; secret: string } }>('POST', '/webhooks', {
    url,
    events: ['case.status_updated'],
  });
  if (answer.status !== 201) throw new Error(`subscribing answered ${answer.status}`);
  return answer.body.webhook;
}

/** The next page of each list; the everyday load and we have made what fills a first one. */
async function takeCursors(api: Api): Promise<Record<string, string>> {
  const cursors: Record<string, string> = {};
  for (const path of listed) {
    const { body } = await api<{ next_cursor: string | null }>('GET', `${path}?limit=1`);
    if (!body.next_cursor) throw new Error(`${path} has no second page`);
    cursors[path] = body.next_cursor;
  }
  return cursors;
}

function withCursor(path: string, cursor: string): string {
  return `${path}?limit=1&cursor=${encodeURIComponent(cursor)}`;
}

/** The address in `List-Unsubscribe: <…>`, of mails about cases alone. */
function linkIn(headers: Record<string, string>): string[] {
  const link = /^<(.+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1];
  return link ? [link] : [];
}
