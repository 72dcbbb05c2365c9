import { randomInt } from 'node:crypto';
import {
  bearer,
  createPartner,
  type DevFile,
  expectStatus,
  hooksOf,
  kidOf,
  mailsTo,
  newReceipt,
  type Partner,
  refreshTokens,
  send,
  setReceipt,
  signIn,
  tell,
  titled,
} from '@casewatch/driver';
import { again, until } from '../../kit/wait.ts';
import type { RemoteSystem } from '../reach.ts';

const titles = ['Case Was Received', 'Case Was Approved', 'Interview Was Scheduled'];
const listed = ['/v1/client/users', '/v1/client/cases'];

/** Keys, cursors, links and sessions from before a rotation, which must still work after it. */
export async function createFixtures({ dev, partner }: RemoteSystem) {
  const other = createPartner(dev, dev.other_partner);
  const user = await partner.verifiedUser();
  const session = await startSession(dev, user);
  const hook = `rotations-${randomInt(1e9)}`;
  const endpoint = await partner.newWebhook(hook);
  await tell(`${dev.receiver_url}/sandbox/hooks/${hook}`, { secret: endpoint.secret });
  const receipt = newReceipt();
  await setReceipt(dev, receipt, titled(titles[0] ?? ''));
  await baseline(partner, (await partner.newCase(user.id, receipt)).id);
  let changes = 0;
  let cursors = await takeCursors(partner);
  let newestLink = '';
  let unsubscribe = '';

  /** Changes the status, and waits for the signed webhook and the mail. */
  async function change(): Promise<void> {
    changes += 1;
    await setReceipt(dev, receipt, titled(titles[changes % titles.length] ?? ''));
    await until(
      async () => {
        const signed = (await hooksOf(dev, hook)).filter(({ signature_ok }) => signature_ok);
        const links = (await mailsTo(dev, user.email)).flatMap(({ headers }) => linkIn(headers));
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
    async faults(): Promise<string[]> {
      const { status: others } = await other.call('GET', '/v1/client/users?limit=1');
      const { status: link } = await fetch(unsubscribe, { headers: { accept: 'application/json' } });
      const answers: Record<string, number> = {
        "the other partner's key": others,
        'the unsubscribe link': link,
        'the access token': await session.read(),
      };
      for (const [path, cursor] of Object.entries(cursors))
        answers[`a cursor of ${path}`] = (await partner.call('GET', withCursor(path, cursor))).status;
      return Object.entries(answers).flatMap(([name, status]) =>
        status === 200 ? [] : `${name} got ${status}`,
      );
    },
    /** Takes new cursors and links: those of the former secrets end, and an operator waits for that. */
    async renew(): Promise<void> {
      cursors = await takeCursors(partner);
      unsubscribe = newestLink;
    },
    async leave(): Promise<void> {
      await partner.call('DELETE', `/v1/webhooks/${endpoint.id}`);
    },
  };
}

export type Fixtures = Awaited<ReturnType<typeof createFixtures>>;

/** Waits for the baseline: later statuses are changes of it. */
async function baseline({ call }: Partner, caseId: number): Promise<void> {
  await until(
    async () =>
      ((await call<{ update_count?: number }>('GET', `/v1/client/cases/${caseId}`)).body.update_count ?? 0) >
      0,
    { what: 'the first status', timeoutMs: 60_000 },
  );
}

async function startSession(dev: DevFile, { id, email }: { id: number; email: string }) {
  let tokens = await signIn(dev, email, { ...again, timeoutMs: 60_000 });
  return {
    async refresh(): Promise<void> {
      tokens = { ...tokens, ...expectStatus('refresh', await refreshTokens(dev, tokens), 200) };
    },
    /** Reads the user with the access token. @returns the HTTP status */
    read: async () =>
      (await send(dev, 'GET', { as: bearer(tokens.access_token), path: `/v1/users/${id}` })).status,
    kid: () => kidOf(tokens),
  };
}

/** The cursor of each list's second page; the everyday load has filled the first. */
async function takeCursors({ call }: Partner): Promise<Record<string, string>> {
  const cursors: Record<string, string> = {};
  for (const path of listed) {
    const { body } = await call<{ next_cursor: string | null }>('GET', `${path}?limit=1`);
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
