import {
  codePattern,
  inMail,
  keyHeaders,
  loginCode,
  send,
  signIn,
  succeed,
  verifyByMail,
} from '@casewatch/driver';
import { connectDatabase } from '@casewatch/testing';
import { newPartner, operator } from '../../support/operator.ts';
import { noId } from './stand-ins.ts';
import { ana, grace, luis, marta, type Row, type Story, settingsOf, sofia, users } from './story.ts';

const verify = '/v1/users/verify-email';
const undo = '/v1/users/undo-email-change';
const token = '/v1/auth/token';
const verifyLink = /\/v1\/users\/verify-email\?token=([^\s>)]+)/;
const undoLink = /\/v1\/users\/undo-email-change\?token=([^\s>)]+)/;
const wrongLink = { token: 'not-a-token' };

export async function usersAndAddresses(story: Story): Promise<void> {
  const { dev, recorder, byFirm } = story;
  const { shows, fails } = recorder;
  const created = await shows('create_partner_user', byFirm(users, ana));
  const { id } = created.user as Row;
  story.client.id = id;
  await fails('create_partner_user', 'email_already_exists', byFirm(users, ana));
  await inMail(dev, ana.email, verifyLink);
  const { email } = ana;
  await shows('resend_partner_verification', byFirm(`${users}/resend-verification`, { email }));
  const ofAna = await inMail(dev, email, verifyLink, { nth: 1 });
  await shows('verify_email_link', { path: `${verify}?token=${ofAna}` });
  await fails('verify_email_link', 'invalid_verification_token', { path: `${verify}?token=not-a-token` });

  await shows('create_user', byFirm('/v1/users', luis));
  await shows('create_user', { path: '/v1/users', body: sofia });
  await inMail(dev, luis.email, verifyLink);
  await shows('resend_verification', byFirm('/v1/users/resend-verification', { email: luis.email }));
  const ofLuis = { token: await inMail(dev, luis.email, verifyLink, { nth: 1 }) };
  await shows('verify_email_button', { path: verify, body: ofLuis });
  await fails('verify_email_button', 'invalid_verification_token', { path: verify, body: wrongLink });
  const ofSofia = { token: await inMail(dev, sofia.email, verifyLink) };
  await shows('renew_verification_link', { path: `${verify}/new-link`, body: ofSofia });
  await fails('renew_verification_link', 'invalid_verification_token', {
    path: `${verify}/new-link`,
    body: wrongLink,
  });

  await shows('get_partner_user', byFirm(`${users}/${id}`));
  await fails('get_partner_user', 'user_not_found', byFirm(`${users}/${noId}`));
  await shows('list_partner_users', byFirm(`${users}?name=silva&limit=1`));
  await shows('list_partner_users', byFirm(`${users}?email=${encodeURIComponent(email)}`));
  await shows('get_profile', byFirm('/v1/client/profile'));
  await shows(
    'update_profile',
    byFirm('/v1/client/profile', { support_contact: '+1 202 555 0100', time_zone: 'America/Chicago' }),
  );
  await shows('update_logo', byFirm('/v1/client/logo', { logo_url: 'https://www.example.com/logo.png' }));
}

export async function signIns({ dev, recorder, client: { id }, session }: Story): Promise<Story['client']> {
  const { shows } = recorder;
  const { email } = ana;
  const { request_id } = await shows('request_login_code', { path: '/v1/auth/login-code', body: { email } });
  const body = { email, code: await inMail(dev, email, codePattern), request_id };
  await shows('verify_login_code', { path: '/v1/auth/login-code/verify', body });
  const { access_token } = await shows('issue_token', { path: token, body });
  const as = { authorization: `Bearer ${access_token}` };
  await shows('get_user', { as, path: `/v1/users/${id}` });
  await shows('list_users', { as, path: '/v1/users' });
  await shows('log_out', { as: (await session(luis.email)).as, path: '/v1/auth/logout', body: {} });
  return { id, as };
}

export async function failingSignIns({ dev, dataDir, recorder, newUser }: Story): Promise<void> {
  const { fails } = recorder;
  const { email } = luis;
  const wrong = { ...(await loginCode(dev, email)), code: '000000' };
  await fails('verify_login_code', 'invalid_login_code', { path: '/v1/auth/login-code/verify', body: wrong });
  for (let tries = 1; tries < 5; tries++) await send(dev, 'POST', { path: token, body: wrong });
  await fails('issue_token', 'too_many_login_attempts', { path: token, body: wrong });

  const refresh = (refresh_token: string) => ({
    path: token,
    body: { grant_type: 'refresh_token', refresh_token },
  });
  await fails('issue_token', 'invalid_refresh_token', refresh('not-a-refresh-token'));
  const first = await signIn(dev, email);
  const second = await succeed<typeof first>(dev, 'POST', refresh(first.refresh_token));
  await succeed(dev, 'POST', refresh(second.refresh_token));
  await fails('issue_token', 'refresh_token_reused', refresh(first.refresh_token));

  const other = keyHeaders(await newPartner(dataDir, 'Other Law Firm'));
  await succeed(dev, 'POST', { as: other, path: users, body: luis });
  const link = await inMail(dev, email, verifyLink, { nth: 2 });
  await succeed(dev, 'GET', { path: `${verify}?token=${link}` });
  await fails('issue_token', 'user_selection_required', { path: token, body: await loginCode(dev, email) });

  const { id } = await newUser(marta);
  await verifyByMail(dev, marta.email);
  const ofMarta = await loginCode(dev, marta.email);
  await operator(dataDir, 'user', 'suspend', '--user', String(id));
  await fails('issue_token', 'account_suspended', { path: token, body: ofMarta });
}

export async function undoneChange({ dev, recorder, byFirm, setUp, newUser }: Story): Promise<void> {
  const { shows, fails } = recorder;
  const { id } = await newUser(grace);
  await verifyByMail(dev, grace.email);
  const change = { name: 'Grace N. Okafor', preferred_language: 'en' };
  await shows('update_partner_user', byFirm(`${users}/${id}`, change));
  await setUp('PUT', `${users}/${id}`, { email: 'grace@example.com' });
  const link = await inMail(dev, grace.email, undoLink);
  await shows('undo_email_change_page', { path: `${undo}?token=${link}` });
  await shows('undo_email_change', { path: undo, body: { token: link } });
  await fails('undo_email_change_page', 'invalid_verification_token', { path: `${undo}?token=not-a-token` });
  await fails('undo_email_change', 'invalid_verification_token', { path: undo, body: wrongLink });
}

export async function deletions(story: Story): Promise<void> {
  const { recorder, byFirm, session } = story;
  const { shows, fails } = recorder;
  const old = await session(grace.email);
  const path = `/v1/users/${old.id}`;
  await signedInAnHourAgo(story, old.id);
  await fails('delete_user', 'reauthentication_required', { as: old.as, path });
  await shows('delete_user', { as: (await session(grace.email)).as, path });
  await shows('delete_partner_user', byFirm(`${users}/${story.client.id}`));
}

async function signedInAnHourAgo(story: Story, userId: number): Promise<void> {
  const connection = await connectDatabase(settingsOf(story, 'identity').MONGODB_URL ?? '');
  const signed_in_at = new Date(Date.now() - 3_600_000);
  await connection.db?.collection('sessions').updateMany({ user_id: userId }, { $set: { signed_in_at } });
  await connection.close();
}
