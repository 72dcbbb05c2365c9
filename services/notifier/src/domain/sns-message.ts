/**
 * Messages that Amazon SNS posts (Amazon SNS Developer Guide, "Parsing message formats" and "Verifying the signatures of Amazon SNS
 * messages"). Everything that decides whom to trust comes from the ARN of the topic, which is a setting, and never from the message.
 */

export type SnsTopic = {
  arn: string;
  /** Where Amazon SNS of this region is: `https://sns.us-east-1.amazonaws.com`. */
  origin: string;
};

// arn:<partition>:sns:<region>:<account>:<name>
const topicArn = /^arn:(aws|aws-us-gov|aws-cn):sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[A-Za-z0-9_-]{1,256}$/;

/** Null: the text is not the ARN of a standard topic. */
export function readTopic(arn: string): SnsTopic | null {
  const [, partition, region] = topicArn.exec(arn) ?? [];
  if (region === undefined) return null;
  return { arn, origin: `https://sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}` };
}

type Common = {
  MessageId: string;
  Message: string;
  TopicArn: string;
  Timestamp: string;
  SignatureVersion: '1' | '2';
  Signature: string;
  SigningCertURL: string;
};
export type SnsNotification = Common & { Type: 'Notification'; Subject?: string };
/** Somebody asks that the topic's messages come here, or no longer come here. */
export type SnsSubscription = Common & {
  Type: 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  Token: string;
  SubscribeURL: string;
};
export type SnsMessage = SnsNotification | SnsSubscription;

const common = ['MessageId', 'Message', 'TopicArn', 'Timestamp', 'Signature', 'SigningCertURL'] as const;

/** Null: not a message of SNS, or one without a signature (raw message delivery). */
export function readSnsMessage(item: unknown): SnsMessage | null {
  if (typeof item !== 'object' || item === null) return null;
  const fields = item as Readonly<Record<string, unknown>>;
  const isNotification = fields.Type === 'Notification';
  if (
    !isNotification &&
    fields.Type !== 'SubscriptionConfirmation' &&
    fields.Type !== 'UnsubscribeConfirmation'
  )
    return null;
  const needed = isNotification ? common : [...common, 'Token', 'SubscribeURL'];
  if (!needed.every((name) => typeof fields[name] === 'string')) return null;
  if (fields.Subject != null && typeof fields.Subject !== 'string') return null;
  if (fields.SignatureVersion !== '1' && fields.SignatureVersion !== '2') return null;
  const message = fields as unknown as SnsMessage;
  // The signed text has a line for each name and value. A value with a line break could be read as another name.
  const oneLine = [...needed.filter((name) => name !== 'Message'), 'Subject'];
  return oneLine.some((name) => /[\r\n]/.test(String(fields[name] ?? ''))) ? null : message;
}

/** The text that the signature covers. */
export function signedText(message: SnsMessage): string {
  const values: Record<string, string | undefined> =
    message.Type === 'Notification'
      ? {
          Message: message.Message,
          MessageId: message.MessageId,
          Subject: message.Subject ?? undefined,
          Timestamp: message.Timestamp,
          TopicArn: message.TopicArn,
          Type: message.Type,
        }
      : {
          Message: message.Message,
          MessageId: message.MessageId,
          SubscribeURL: message.SubscribeURL,
          Timestamp: message.Timestamp,
          Token: message.Token,
          TopicArn: message.TopicArn,
          Type: message.Type,
        };
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : `${name}\n${value}\n`))
    .join('');
}

/** SNS tries again for an hour, and longer if its topic says so; ms. The ids of handled messages are kept longer. */
const longestAgeMs = 24 * 60 * 60 * 1_000;
/** Amazon's clock may be ahead of ours by this, ms. */
const clockSkewMs = 5 * 60 * 1_000;

export function isInTime({ Timestamp }: SnsMessage, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(Timestamp);
  // Also false for NaN.
  return ageMs <= longestAgeMs && ageMs >= -clockSkewMs;
}

/**
 * The path of the certificate at the topic's SNS; null for any other address. Compared as text: no port, no user, no other host that
 * begins or ends like Amazon's, no path that leads elsewhere.
 */
export function certificatePath({ SigningCertURL }: SnsMessage, { origin }: SnsTopic): string | null {
  if (!SigningCertURL.startsWith(`${origin}/`)) return null;
  const path = SigningCertURL.slice(origin.length);
  return /^\/SimpleNotificationService-[0-9A-Za-z]{1,64}\.pem$/.test(path) ? path : null;
}

/** The request that confirms a subscription, made from its token alone: the address in the message is never called. */
export function confirmationPath({ Token }: SnsSubscription, { arn }: SnsTopic): string {
  const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: arn, Token });
  return `/?${query}`;
}
