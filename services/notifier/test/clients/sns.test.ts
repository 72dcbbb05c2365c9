import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSns, type Sns } from '../../src/clients/sns.ts';
import {
  readSnsMessage,
  readTopic,
  type SnsMessage,
  type SnsSubscription,
} from '../../src/domain/sns-message.ts';
import {
  amazonsHost,
  certificateFile,
  createAuthority,
  openAmazon,
  snsMessage,
  topic,
} from '../support/amazon.ts';

const authority = createAuthority();
const stranger = createAuthority();
const signer = authority.issue('sns.amazonaws.com');
const impostor = stranger.issue('sns.amazonaws.com');
const files = { [certificateFile]: signer.cert };

const ours = readTopic(topic);
if (ours === null) throw new Error('the ARN of the test cannot be read');
const read = (fields: object) => readSnsMessage(fields) as SnsMessage;
const now = () => new Date();

let amazon: Awaited<ReturnType<typeof openAmazon>>;
let sns: Sns;
const trusted = getCACertificates('default');
beforeAll(async () => {
  setDefaultCACertificates([...trusted, authority.ca]);
  amazon = await openAmazon(authority.issue(amazonsHost), files);
  sns = createSns({ topic: ours, ...amazon });
});
afterAll(async () => {
  sns.stop();
  await amazon.stop();
  setDefaultCACertificates([...trusted]);
  authority.remove();
  stranger.remove();
});

describe('a message of Amazon SNS', () => {
  it.each(['1', '2'])(
    'is taken with a signature of version %s, with and without a subject',
    async (version) => {
      for (const subject of [{}, { Subject: 'Amazon SES Email Event Notification' }]) {
        const message = read(snsMessage(signer.key, { SignatureVersion: version, ...subject }));
        expect(await sns.isSigned(message, now())).toBe(true);
      }
    },
  );

  it('needs its certificate once', async () => {
    await sns.isSigned(read(snsMessage(signer.key)), now());
    const before = amazon.calls.length;
    await Promise.all(Array.from({ length: 5 }, () => sns.isSigned(read(snsMessage(signer.key)), now())));
    expect(amazon.calls.length).toBe(before);
  });

  const other = 'arn:aws:sns:us-east-1:123456789012:another';
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
  it.each<[string, Record<string, string>]>([
    ['of another topic', { TopicArn: other }],
    ['older than a day', { Timestamp: minutes(-24 * 60 - 1) }],
    ['from the future', { Timestamp: minutes(6) }],
    ['without a time', { Timestamp: 'yesterday' }],
  ])('is refused %s, though it is signed', async (_, over) => {
    expect(await sns.isSigned(read(snsMessage(signer.key, over)), now())).toBe(false);
  });

  it.each(['Message', 'MessageId', 'Timestamp', 'Subject'])('is refused with another %s', async (name) => {
    const message = snsMessage(signer.key, { Subject: 'a' });
    const changed = { ...message, [name]: name === 'Timestamp' ? minutes(-1) : 'b' };
    expect(await sns.isSigned(read(changed), now())).toBe(false);
  });

  it('is refused when another key signed it, or nobody', async () => {
    expect(await sns.isSigned(read(snsMessage(impostor.key)), now())).toBe(false);
    expect(await sns.isSigned(read({ ...snsMessage(signer.key), Signature: '' }), now())).toBe(false);
  });

  it('is refused when its certificate is over, or not yet valid', async () => {
    for (const days of [2, -2]) {
      const then = new Date(Date.now() + days * 24 * 60 * 60_000);
      const message = read(snsMessage(signer.key, { Timestamp: then.toISOString() }));
      expect(await sns.isSigned(message, then)).toBe(false);
    }
  });

  // Whoever says where the certificate is says who may sign.
  it.each([
    `http://${amazonsHost}${certificateFile}`,
    `https://sns.us-east-1.amazonaws.com.example${certificateFile}`,
    `https://sns.us-east-1.amazonaws.com:8443${certificateFile}`,
    `https://sns.us-east-1.amazonaws.com@attacker.example${certificateFile}`,
    `https://attacker.example/sns.us-east-1.amazonaws.com${certificateFile}`,
    `https://sns.eu-west-1.amazonaws.com${certificateFile}`,
    `https://s3.us-east-1.amazonaws.com${certificateFile}`,
    `https://${amazonsHost}/bucket/../own.pem`,
    `https://${amazonsHost}/bucket${certificateFile}`,
    `https://${amazonsHost}${certificateFile}?redirect=https://attacker.example`,
    `https://${amazonsHost}${certificateFile}#x`,
    'https://169.254.169.254/latest/meta-data',
  ])('never makes us fetch a certificate at %s', async (SigningCertURL) => {
    const before = amazon.calls.length;
    expect(await sns.isSigned(read(snsMessage(impostor.key, { SigningCertURL })), now())).toBe(false);
    expect(amazon.calls.length).toBe(before);
  });

  it.each([
    ['Subject', 'x\nTimestamp\n2026-01-01T00:00:00.000Z'],
    ['MessageId', 'x\ny'],
    ['Timestamp', '2026-01-01\n'],
  ])('with a line break in %s is no message: its signed text could be read in two ways', (name, value) => {
    expect(readSnsMessage(snsMessage(signer.key, { [name]: value }))).toBeNull();
  });

  it.each([
    ['a list', []],
    ['a text', 'Notification'],
    ['raw delivery, which has no signature', { notificationType: 'Bounce' }],
    ['a third version', snsMessage(signer.key, { SignatureVersion: '3' })],
  ])('is not %s', (_, item) => {
    expect(readSnsMessage(item)).toBeNull();
  });
});

describe('the certificate', () => {
  it('is not taken from a server that only says it is Amazon', async () => {
    const false_ = await openAmazon(stranger.issue(amazonsHost), { [certificateFile]: impostor.cert });
    const client = createSns({ topic: ours, ...false_ });
    await expect(client.isSigned(read(snsMessage(impostor.key)), now())).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(false_.calls).toEqual([]);
    client.stop();
    await false_.stop();
  });

  it('is not looked for at a redirect, and asked for again after an outage', async () => {
    const client = createSns({ topic: ours, ...amazon });
    const message = read(snsMessage(signer.key));
    amazon.faults.push(
      { status: 302, location: `https://attacker.example${certificateFile}` },
      { status: 503 },
    );
    expect(await client.isSigned(message, now())).toBe(false);
    await expect(client.isSigned(message, now())).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await client.isSigned(message, now())).toBe(true);
    client.stop();
  });
});

describe('a subscription', () => {
  it('is confirmed at Amazon with the token alone, wherever the message leads', async () => {
    const over = {
      Type: 'SubscriptionConfirmation',
      Token: 'a&b=c',
      SubscribeURL: 'https://attacker.example/',
    };
    const message = read(snsMessage(signer.key, over)) as SnsSubscription;
    expect(await sns.isSigned(message, now())).toBe(true);
    await sns.confirm(message);
    const query = `TopicArn=${encodeURIComponent(topic)}&Token=a%26b%3Dc`;
    expect(amazon.calls.at(-1)).toBe(`/?Action=ConfirmSubscription&${query}`);
  });

  it('that Amazon does not confirm is asked for again', async () => {
    const message = read(snsMessage(signer.key, { Type: 'SubscriptionConfirmation' })) as SnsSubscription;
    amazon.faults.push({ status: 403 });
    await expect(sns.confirm(message)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('the ARN of a topic', () => {
  it.each([
    ['arn:aws:sns:eu-central-1:123456789012:mail', 'https://sns.eu-central-1.amazonaws.com'],
    ['arn:aws-us-gov:sns:us-gov-west-1:123456789012:mail', 'https://sns.us-gov-west-1.amazonaws.com'],
    ['arn:aws-cn:sns:cn-north-1:123456789012:mail', 'https://sns.cn-north-1.amazonaws.com.cn'],
  ])('%s says where SNS is', (arn, origin) => {
    expect(readTopic(arn)).toEqual({ arn, origin });
  });

  it.each([
    'arn:aws:sqs:us-east-1:123456789012:mail',
    'arn:aws:sns:attacker.example/us-east-1:123456789012:mail',
    'arn:aws:sns:us-east-1:123456789012:mail.fifo',
    'arn:aws:sns:us-east-1:123456789012:mail:0f1e',
  ])('%s is refused', (arn) => {
    expect(readTopic(arn)).toBeNull();
  });
});
