import { generateKeyPairSync } from 'node:crypto';
import { principalSigner, privateJwk } from '@casewatch/platform';
import type { Sandbox } from '@casewatch/sandbox';
import type { TestMongo, TestNats } from '@casewatch/testing';

/** The gateway's key of this test: who signs with it, and what the service verifies with. */
export function gatewayKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateJwk.parse({ ...privateKey.export({ format: 'jwk' }), kid: 'test' });
  const { d: _private, ...open } = key;
  return { sign: principalSigner(key), jwks: JSON.stringify({ keys: [open] }) };
}

type World = { mongo: TestMongo; nats: TestNats; sandbox: Sandbox; jwks: string; publicUrl: string };

/** The environment of a real notifier on a free port, with delays a thousandth of the real ones. */
export function environment(world: World, over: Record<string, string>): Record<string, string> {
  const { mongo, nats, sandbox, jwks, publicUrl } = world;
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    PORT: '0',
    ...nats.user('notifier'),
    MONGODB_URL: mongo.url('notifier'),
    PRINCIPAL_JWKS: jwks,
    PUBLIC_URL: publicUrl,
    APP_URL: 'https://app.casewatch.example',
    SMTP_URL: sandbox.smtp_url,
    MAIL_FROM: 'Casewatch <no-reply@casewatch.example>',
    TWILIO_ACCOUNT_SID: sandbox.twilio_account_sid,
    TWILIO_AUTH_TOKEN: sandbox.twilio_auth_token,
    TWILIO_FROM: 'whatsapp:+12025550100',
    TWILIO_API_BASE_URL: sandbox.twilio_url,
    TWILIO_CONTENT_SIDS: JSON.stringify({
      status_update: {
        en: 'HX00000000000000000000000000000001',
        es: 'HX00000000000000000000000000000002',
      },
      status_digest: { en: 'HX00000000000000000000000000000011' },
    }),
    // Each case gets its own message; order.test.ts has digests.
    NOTIFY_DIGEST_WINDOW_S: '0',
    NOTIFY_RETRY_SCALE: '0.001',
    // Far above what a busy machine takes; a test whose server never answers sets its own.
    NOTIFY_SEND_TIMEOUT_MS: '15000',
    MAIL_CALLBACK_SENDGRID_KEY: sandbox.sendgrid_public_key,
    MAIL_CALLBACK_RESEND_SECRET: sandbox.resend_secret,
    NOTIFIER_ENCRYPTION_KEY: 'encryption-key-of-a-test-long-enough',
    NOTIFIER_HMAC_KEY: 'hmac-key-of-a-test-long-enough-to-be-taken',
    ...over,
  };
}
