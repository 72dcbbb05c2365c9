import { operations } from '@casewatch/contracts';
import { bearer, send } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeOwnSystem, type System, startSystemHere } from '../support/system.ts';
import { apartFromRecord, withoutRecord } from './examples/audit.ts';
import {
  apiKeys,
  cases,
  emailCallbacks,
  failingCases,
  twilioCallbacks,
  unsubscribing,
} from './examples/cases.ts';
import { importsAndExports } from './examples/imports.ts';
import { deletions, failingSignIns, signIns, undoneChange, usersAndAddresses } from './examples/people.ts';
import { noId } from './examples/stand-ins.ts';
import { staffMembers } from './examples/staff.ts';
import { beginStory, type Story, users } from './examples/story.ts';
import { deletedEvent, deliveries, replays, webhookEndpoints } from './examples/webhooks.ts';

/** One law firm and its clients, from the first user to the last deletion: the tests run in this order. */
describeOwnSystem('each example of the documents is what the system answers:', () => {
  let system: System;
  let story: Story;
  let webhook: string;
  let delivery: string;
  beforeAll(async () => {
    // Low enough that a limit is reached soon.
    system = await startSystemHere({ RATE_LIMIT_SCALE: '10' });
    story = await beginStory(system);
  });
  afterAll(async () => {
    await system.stop();
  });

  it('users and their addresses', () => usersAndAddresses(story));

  it('sign-in', async () => {
    story.client = await signIns(story);
  });

  it('sign-ins that fail', () => failingSignIns(story));

  it('API keys', () => apiKeys(story));

  it('members of the staff', () => staffMembers(story));

  it('webhook endpoints', async () => {
    webhook = await webhookEndpoints(story);
  });

  it('cases', () => cases(story));

  it('deliveries', async () => {
    delivery = await deliveries(story, webhook);
  });

  it('replays', () => replays(story, webhook));

  it('cases and checks that fail', () => failingCases(story));

  it('the end of e-mails', () => unsubscribing(story));

  it('imports and exports', () => importsAndExports(story));

  it('callbacks of mail providers', () => emailCallbacks(story));
  it('callbacks of Twilio', () => twilioCallbacks(story));

  it('a change of address that is undone', () => undoneChange(story));

  // Before the deletions: a count without receipts has no freshness.
  it('the status of the service', async () => {
    const status = { path: '/v1/status' };
    const isCounted = async () => {
      const { body } = await send(story.dev, 'GET', status);
      return body.freshness !== null && body.capacity !== null;
    };
    await waitFor(isCounted, { timeoutMs: 60_000, what: 'the first count of receipts' });
    await story.recorder.shows('get_status', status);
  });

  it('deletions', () => deletions(story));

  it('events of a deleted user', () => deletedEvent(story, delivery));

  it('who did what: each operation that changes or shows something of the firm', async () => {
    expect(await withoutRecord(story)).toEqual([]);
    expect(await apartFromRecord(story)).toEqual([]);
  });

  it('errors of every operation', async () => {
    const { dev, byFirm, recorder } = story;
    const fails = recorder.failsAnywhere;
    const list = byFirm(users);
    const headers = { 'content-type': 'application/json' };
    await fails('validation_failed', 'POST', byFirm(users, { email: 'ana', nick: 'a' }));
    await fails('malformed_json', 'POST', { ...list, headers, raw: '{"email":' });
    await fails('payload_too_large', 'POST', { ...list, headers, raw: `"${'x'.repeat(17_000)}"` });
    await fails('unsupported_media_type', 'POST', { ...list, form: { name: 'Ana' } });
    await fails('invalid_parameter', 'GET', byFirm(`${users}?limit=101`));
    await fails('unknown_parameter', 'GET', byFirm(`${users}?page=2`));
    await fails('invalid_cursor', 'GET', byFirm(`${users}?cursor=not-a-cursor`));
    await fails('empty_update', 'PUT', byFirm(`${users}/${noId}`, {}));
    await fails('missing_credentials', 'GET', { path: users });
    const wrongSecret = { ...list.as, 'x-api-secret': dev.partner.api_secret };
    await fails('invalid_api_key', 'GET', { as: wrongSecret, path: users });
    await fails('invalid_token', 'GET', { as: bearer('not-a-token'), path: '/v1/users' });
    await fails('partner_keys_not_accepted', 'DELETE', byFirm(`/v1/users/${noId}`));
    await fails('method_not_allowed', 'PATCH', list);
    await fails('not_acceptable', 'GET', { ...list, headers: { accept: 'text/csv' } });
    const login = { path: '/v1/auth/login-code', body: { email: 'nobody.known@example.com' } };
    const isLimited = async () => (await send(dev, 'POST', login)).status === 429;
    await waitFor(isLimited, { timeoutMs: 60_000, intervalMs: 1, what: 'the limit of login codes' });
    await fails('rate_limited', 'POST', login);
  });

  it('every operation and every error of its own', () => {
    const { recording } = story.recorder;
    expect(Object.keys(recording.operations).sort()).toEqual(Object.keys(operations).sort());
    const ownErrors = Object.values(operations).flatMap(({ errors }) => errors as readonly string[]);
    const shown = [recording.general, ...Object.values(recording.operations).map(({ errors }) => errors)];
    const codes = new Set(shown.flatMap((errors) => Object.keys(errors)));
    expect(ownErrors.filter((code) => !codes.has(code))).toEqual([]);
    expect(JSON.stringify(recording)).not.toMatch(/127\.0\.0\.1:|localhost|DEMOdemo/);
    story.recorder.finish();
  });
});
