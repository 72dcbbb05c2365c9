import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { someAddress, type TestPartner, userOf } from '../../support/people.ts';
import type { Reply, TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let partner: TestPartner;
let other: TestPartner;
useIdentity((started) => {
  ({ identity, partner, other } = started);
});

const send = (path: string, key: string, body: unknown, as = partner.as) =>
  identity.call('POST', path, { as, body, headers: { 'idempotency-key': key } });
const keys = () => identity.db.collection('idempotency');

describe.each(['/v1/client/users', '/v1/users'])('an Idempotency-Key at %s', (path) => {
  const newBody = () => ({ email: someAddress(), name: 'Maria Silva' });

  it('gives the first answer again, also after the user has changed', async () => {
    const [key, body] = [randomUUID(), newBody()];
    const first = await send(path, key, body);
    const { id } = userOf(first);
    await identity.call('PUT', `/v1/client/users/${id}`, { as: partner.as, body: { name: 'Ana' } });
    const again = await send(path, key, body);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
  });

  it('is refused with another body, and is the caller’s own', async () => {
    const [key, body] = [randomUUID(), newBody()];
    const { id } = userOf(await send(path, key, body));
    const reused = await send(path, key, { ...body, name: 'Ana' });
    expect(reused.body).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    const elsewhere = await send(path, key, body, other.as);
    expect(elsewhere.status).toBe(201);
    expect(userOf(elsewhere).id).not.toBe(id);
  });

  it('creates one user for 50 concurrent requests', async () => {
    const [key, body] = [randomUUID(), newBody()];
    const replies = await Promise.all(Array.from({ length: 50 }, () => send(path, key, body)));
    const made = replies.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map((reply) => userOf(reply).id)).size).toBe(1);
    const rest = replies.filter(({ status }) => status !== 201);
    expect(rest.every((reply) => reply.body.code === 'idempotency_in_progress')).toBe(true);
    expect(await identity.db.collection('users').countDocuments({ email: body.email })).toBe(1);
    expect(userOf(await send(path, key, body)).id).toBe(userOf(made[0] as Reply).id);
  });

  it('is free again after a refusal', async () => {
    const [key, taken] = [randomUUID(), newBody()];
    const { id } = userOf(await send(path, randomUUID(), taken));
    expect((await send(path, key, taken)).body.code).toBe('email_already_exists');
    await identity.call('DELETE', `/v1/client/users/${id}`, { as: partner.as });
    expect((await send(path, key, taken)).status).toBe(201);
  });

  it('keeps the answer encrypted, and forgets it with the user', async () => {
    const [key, body] = [randomUUID(), newBody()];
    const { id } = userOf(await send(path, key, body));
    const row = await keys().findOne({ user_id: id });
    expect(row?.answer).toEqual(expect.any(String));
    expect(JSON.stringify(row)).not.toContain(body.email);
    await identity.call('DELETE', `/v1/client/users/${id}`, { as: partner.as });
    expect(await keys().countDocuments({ user_id: id })).toBe(0);
    const anew = await send(path, key, body);
    expect(anew.status).toBe(201);
    expect(userOf(anew).id).not.toBe(id);
  });
});
