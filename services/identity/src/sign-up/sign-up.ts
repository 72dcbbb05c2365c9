import type { ArrivalMailRequest } from '@casewatch/contracts';
import { ApiError, logSecurity, networkOf, type RequestHandler, type Running } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import { addUser } from '../changes/change-user.ts';
import { openSession } from '../changes/open-session.ts';
import type { Context } from '../context.ts';
import { isTokenOf, rowIdOfToken, welcomeTokenOf } from '../credentials/link-tokens.ts';
import { newDirectUser } from '../domain/new-user.ts';
import { idsOfSession } from '../domain/session.ts';
import { presentTokens } from '../http/sign-in/issue-token.ts';
import { mapAddressTaken } from '../http/users/load-user.ts';
import { challenge, codeSeconds } from '../http/sign-in/request-login-code.ts';
import { takeRecipientLimit } from '../limits/mail-limits.ts';
import { startMailLoop } from '../loops/mail-loop.ts';
import type { LoginChallenge } from '../store/login-challenges.ts';
import type { Welcome } from '../store/welcomes.ts';

// How somebody arrives alone, from the front page to an account. One field takes the address, and the answer is the same for every
// address: it is looked up when the mail is written. A known one gets a code, an unknown one a welcome. The account exists only after
// the button of the page that the link of the welcome opens.

/** Lifetime of the link, ms. */
const lifetimeMs = 24 * 60 * 60 * 1_000;

/** Codes and welcomes have one budget: that of codes. @throws ApiError rate_limited */
export function answerRequestEntry(ctx: Context): RequestHandler<'identity.request_entry'> {
  return async ({ email, language, address }) => {
    const asked = { purpose: 'person', email, language, address, isWelcome: true } as const;
    return { request_id: await challenge(ctx, asked), expires_in: codeSeconds };
  };
}

/**
 * Queues the welcome to an address that nobody has; the same request makes one. Beyond the limit of mails to one recipient there is
 * none: whoever types somebody else's address cannot fill that mailbox.
 */
export async function queueWelcome(ctx: Context, request: LoginChallenge): Promise<void> {
  const { _id, typed_email: email, email_lower, language } = request;
  if (email === undefined) return;
  const delivery = await ctx.stores.welcomes.mails.newDelivery();
  const now = ctx.clock.now();
  const isQueued = await transaction(ctx.db, async (tx) => {
    if (await ctx.stores.welcomes.find(_id, tx)) return false;
    if ((await takeRecipientLimit(ctx, email_lower, tx)) !== null) return false;
    const expires_at = new Date(now.getTime() + lifetimeMs);
    const row = { _id, email, email_lower, language: language ?? 'en', used_at: null, created_at: now };
    await ctx.stores.welcomes.insert({ ...row, expires_at, delivery }, tx);
    return true;
  });
  if (isQueued) ctx.signals.emit('welcomes');
}

export function sendWelcomes(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'welcomes',
    queue: ctx.stores.welcomes.mails,
    compose: (id) => compose(ctx, id),
    signal: 'welcomes',
  });
}

/** Null if somebody has the address meanwhile. */
async function compose(ctx: Context, id: string): Promise<ArrivalMailRequest | null> {
  const welcome = await ctx.stores.welcomes.find(id);
  if (!welcome || !isOpen(welcome, ctx.clock.now()) || (await hasAccount(ctx, welcome))) return null;
  const { email, language, expires_at } = welcome;
  const query = new URLSearchParams({ token: welcomeTokenOf(welcome, ctx.macs), language });
  return {
    kind: 'welcome',
    message_id: `welcome-${id}`,
    to: email,
    language,
    expires_at: expires_at.toISOString(),
    link: `${ctx.config.PUBLIC_URL}/welcome?${query}`,
  };
}

/** What the link opens. It changes nothing: programs that scan mails open links. */
export function answerWelcome(ctx: Context): RequestHandler<'identity.welcome'> {
  return async ({ token }) => {
    const welcome = await findByToken(ctx, token);
    if (!welcome || !isOpen(welcome, ctx.clock.now())) return { welcome: null };
    return { welcome: { email: welcome.email, has_account: await hasAccount(ctx, welcome) } };
  };
}

/**
 * The button: opens the account, whose address the link proves, with a session.
 * @throws ApiError invalid_verification_token: used, expired or forged; email_already_exists: somebody has the address meanwhile
 */
export function answerOpenAccount(ctx: Context): RequestHandler<'identity.open_account'> {
  return async ({ token, language, address }) => {
    const [id, sessionId, network] = [await ctx.ids.next('users'), ctx.newId(), networkOf(address)];
    const signedIn = await mapAddressTaken(
      transaction(ctx.db, async (tx) => {
        const welcome = await findByToken(ctx, token, tx);
        const now = ctx.clock.now();
        if (!welcome || !isOpen(welcome, now)) throw new ApiError('invalid_verification_token');
        // The link proves the address, but opens no account that is there already: signing in does, with a code.
        if (await hasAccount(ctx, welcome, tx)) throw new ApiError('email_already_exists');
        if (!(await ctx.stores.welcomes.use(welcome._id, now, tx)))
          throw new ApiError('invalid_verification_token');
        const { email, email_lower: emailLower } = welcome;
        const user = newDirectUser({ id, email, notifyByEmail: true, language, now });
        await addUser(ctx, tx, user);
        return await openSession(ctx, tx, { sessionId, user, emailLower, network, newEmail: null });
      }),
    );
    const ids = idsOfSession(signedIn.session);
    logSecurity(ctx.log, { event: 'sign_in', outcome: 'done', reason: 'welcome', ...ids });
    const { access_token, expires_in, refresh_token, refresh_expires_in } = presentTokens(ctx, signedIn);
    return { access_token, expires_in, refresh_token, refresh_expires_in };
  };
}

async function findByToken({ macs, stores }: Context, token: string, tx: Session | null = null) {
  const id = rowIdOfToken(token);
  const welcome = id === null ? null : await stores.welcomes.find(id, tx);
  return welcome && isTokenOf(welcomeTokenOf, welcome, { token, macs }) ? welcome : null;
}

function isOpen({ used_at, expires_at }: Welcome, now: Date): boolean {
  return used_at === null && expires_at > now;
}

/** At any partner, too: whoever has an account signs in. */
async function hasAccount({ stores }: Context, { email_lower }: Welcome, tx: Session | null = null) {
  return (await stores.users.findByEmail(email_lower, tx)).length > 0;
}
