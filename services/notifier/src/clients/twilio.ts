import type { Language } from '@casewatch/contracts';
import twilio from 'twilio';
import { classifyTwilio, type TwilioFailure } from '../domain/classify-twilio.ts';
import type { Outcome } from '../domain/outcome.ts';

/** One WhatsApp message: an approved template and its variables. */
export type OutgoingWhatsapp = {
  /** E.164 */
  phone: string;
  contentSid: string;
  variables: Record<string, string>;
  /** Where Twilio reports; it names our notification. */
  statusCallback: string;
};

/** A message that Twilio has. */
export type FoundMessage = {
  sid: string;
  status: string;
  errorCode: number | null;
  body: string;
  createdAt: Date;
};

export type Whatsapp = {
  /** Never throws: whatever happens is an outcome. */
  send(message: OutgoingWhatsapp): Promise<Outcome>;
  /** Messages to a number that left after a moment, or wait to. @throws what the client throws when Twilio is away */
  find(phone: string, after: Date): Promise<FoundMessage[]>;
  contentSid(language: Language): string | null;
  /** Whether a callback was signed with our token, over the address and form exactly as they came. */
  isSigned(call: { signature: string; url: string; form: Record<string, unknown> }): boolean;
};

type Options = {
  accountSid: string;
  authToken: string;
  from: string;
  contentSids: Partial<Record<Language, string>>;
  /** Left out: Twilio itself. */
  apiBaseUrl: string | undefined;
  timeoutMs: number;
};

/** Twilio takes a message or not within this, ms; after that its answer says nothing any more. */
const longestTimeoutMs = 15_000;

/** The official client, with its own retries off: tries are ours, and counted. */
export function createWhatsapp(options: Options): Whatsapp {
  const timeout = Math.min(options.timeoutMs, longestTimeoutMs);
  const httpClient = options.apiBaseUrl
    ? new ElsewhereClient(new URL(options.apiBaseUrl), timeout)
    : new twilio.RequestClient({ timeout, keepAlive: true });
  const client = twilio(options.accountSid, options.authToken, { httpClient, autoRetry: false });

  return {
    async send({ phone, contentSid, variables, statusCallback }) {
      try {
        const message = await client.messages.create({
          to: `whatsapp:${phone}`,
          from: options.from,
          contentSid,
          contentVariables: JSON.stringify(variables),
          statusCallback,
        });
        return { kind: 'accepted', provider_message_id: message.sid };
      } catch (error) {
        return classifyTwilio(failureOf(error));
      }
    },
    async find(phone, after) {
      const filter = { to: `whatsapp:${phone}`, from: options.from, dateSentAfter: after, limit: 20 };
      const messages = await client.messages.list(filter);
      return messages.map(({ sid, status, errorCode, body, dateCreated }) => ({
        sid,
        status,
        errorCode: errorCode ?? null,
        body: body ?? '',
        createdAt: dateCreated,
      }));
    },
    contentSid: (language) => options.contentSids[language] ?? null,
    isSigned: ({ signature, url, form }) => twilio.validateRequest(options.authToken, signature, url, form),
  };
}

type RequestClient = InstanceType<typeof twilio.RequestClient>;

/** Sends the same requests to another place: the client's public way to reach a stand-in. */
class ElsewhereClient extends twilio.RequestClient {
  readonly #base: URL;

  constructor(base: URL, timeout: number) {
    super({ timeout, keepAlive: true });
    this.#base = base;
  }

  override request<T>(request: Parameters<RequestClient['request']>[0]) {
    const uri = new URL(request.uri);
    uri.protocol = this.#base.protocol;
    uri.host = this.#base.host;
    return super.request<T>({ ...request, uri: uri.href } as Parameters<RequestClient['request']>[0] & {
      data?: T;
    });
  }
}

/** By its fields alone: what a socket throws may be of another realm, and no `instanceof` of ours knows it. */
function failureOf(error: unknown): TwilioFailure {
  const fields = (typeof error === 'object' && error !== null ? error : {}) as Partial<
    Record<keyof TwilioFailure, unknown>
  >;
  const { code, status, message } = fields;
  return {
    message: typeof message === 'string' ? message : 'unknown',
    code: typeof code === 'number' || typeof code === 'string' ? code : undefined,
    // A failed connection may have a `status` too, which is not a number.
    status: typeof status === 'number' ? status : undefined,
  };
}
