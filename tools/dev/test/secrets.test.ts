import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { loadSecrets } from '../src/secrets.ts';

describe('loadSecrets', () => {
  it('makes them once and keeps them where only their owner can read', async () => {
    const folder = await tempFolder();
    const file = join(folder.path, 'secrets.json');
    const secrets = loadSecrets(file);
    expect(loadSecrets(file)).toEqual(secrets);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(Buffer.from(secrets.notifierEncryptionKey, 'base64')).toHaveLength(32);
    await folder.remove();
  });

  it('makes key pairs that belong together, named by their thumbprint', async () => {
    const folder = await tempFolder();
    const { principal, token } = loadSecrets(join(folder.path, 'secrets.json'));
    const data = Buffer.from('a principal');
    const signature = sign('sha256', data, createPrivateKey({ key: principal.private, format: 'jwk' }));
    const key = createPublicKey({ key: principal.public, format: 'jwk' });
    expect(verify('sha256', data, key, signature)).toBe(true);
    expect(principal.public).not.toHaveProperty('d');
    const { crv, kty, x, y } = token.public;
    const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
    expect(token.private).toMatchObject({ kid: thumbprint, alg: 'ES256' });
    await folder.remove();
  });
});
