import type { Language } from '@casewatch/contracts';
import twilio from 'twilio';
import { classifyTwilio, type TwilioFailure } from '../domain/classify-twilio.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { TemplateKey } from '../templates/whatsapp-templates.ts';

export type OutgoingWhatsapp = {
  phone: string;
  contentSid: string;
  variables: Record<string, string>;
  /** Address for Twilio's reports; it contains our notification's id. */
  statusCallback: string;
};

export type SubmittedMessage = {
  sid: string;
  status: string;
  errorCode: number | null;
  body: string;
  createdAt: Date;
};

export type ProviderContent = { status: string; category: string; texts: string[] };

export type Whatsapp = {
  /** Never throws. */
  send(message: OutgoingWhatsapp): Promise<Outcome>;
  /** A text without a template: WhatsApp takes it within 24 hours after the person wrote. Never throws. */
  answer(message: { phone: string; body: string }): Promise<Outcome>;
  /** Messages to a number sent after `after`, or queued. @throws Error, in words of ours, if Twilio is unavailable */
  find(phone: string, after: Date): Promise<SubmittedMessage[]>;
  /** Null if Twilio does not know the SID. @throws Error if Twilio is unavailable */
  fetch(sid: string): Promise<SubmittedMessage | null>;
  fetchContent(sid: string): Promise<ProviderContent | null>;
  contentSid(template: TemplateKey, language: Language): string | null;
  isSigned(call: { signature: string; url: string; form: Record<string, unknown> }): boolean;
};

/** Twilio's clock may differ by this, and it rounds to seconds; ms. */
export const clockSkewMs = 5_000;

type Options = {
  accountSid: string;
  authToken: string;
  from: string;
  contentSids: Record<TemplateKey, Partial<Record<Language, string>>>;
  apiBaseUrl: string | undefined;
  timeoutMs: number;
};

type Content = { contentSid: string; contentVariables: string; statusCallback: string } | { body: string };

const maxTimeoutMs = 15_000;

export function createWhatsapp(options: Options): Whatsapp {
  const timeout = Math.min(options.timeoutMs, maxTimeoutMs);
  const httpClient = options.apiBaseUrl
    ? new OtherHostClient(new URL(options.apiBaseUrl), timeout)
    : new twilio.RequestClient({ timeout, keepAlive: true });
  const client = twilio(options.accountSid, options.authToken, { httpClient, autoRetry: false });

  const create = async (phone: string, content: Content): Promise<Outcome> => {
    try {
      const to = `whatsapp:${phone}`;
      const message = await client.messages.create({ to, from: options.from, ...content });
      return { kind: 'accepted', provider_message_id: message.sid };
    } catch (error) {
      return classifyTwilio(failureOf(error));
    }
  };

  return {
    send: ({ phone, contentSid, variables, statusCallback }) =>
      create(phone, { contentSid, contentVariables: JSON.stringify(variables), statusCallback }),
    answer: ({ phone, body }) => create(phone, { body }),
    async find(phone, after) {
      const filter = { to: `whatsapp:${phone}`, from: options.from, dateSentAfter: after, limit: 20 };
      const messages = await inOurWords(() => client.messages.list(filter));
      return messages.map(toSubmitted);
    },
    fetch: (sid) =>
      inOurWords(() => unlessUnknown(async () => toSubmitted(await client.messages(sid).fetch()))),
    async fetchContent(sid) {
      const read = async () => {
        const content = client.content.v1.contents(sid);
        const [{ types }, approval] = await Promise.all([content.fetch(), content.approvalFetch().fetch()]);
        const { status = 'unknown', category = 'unknown' } = approval.whatsapp as unknown as Record<
          string,
          string
        >;
        const texts = Object.values(types as unknown as Record<string, { body?: string }>).map(
          ({ body }) => body ?? '',
        );
        return { status, category, texts };
      };
      return await inOurWords(() => unlessUnknown(read));
    },
    contentSid: (template, language) => options.contentSids[template][language] ?? null,
    isSigned: ({ signature, url, form }) => twilio.validateRequest(options.authToken, signature, url, form),
  };
}

type TwilioMessage = { sid: string; status: string; errorCode: number; body: string; dateCreated: Date };

function toSubmitted({ sid, status, errorCode, body, dateCreated }: TwilioMessage): SubmittedMessage {
  return { sid, status, errorCode: errorCode ?? null, body: body ?? '', createdAt: dateCreated };
}

/** The text of Twilio's error may quote a number or a name, and errors are logged. */
async function inOurWords<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new Error(classifyTwilio(failureOf(error)).error);
  }
}

async function unlessUnknown<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (failureOf(error).status === 404) return null;
    throw error;
  }
}

type RequestClient = InstanceType<typeof twilio.RequestClient>;

/** Sends requests to another host, for tests. */
class OtherHostClient extends twilio.RequestClient {
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

function failureOf(error: unknown): TwilioFailure {
  const fields = (error instanceof Error ? error : {}) as Partial<Record<keyof TwilioFailure, unknown>>;
  const { code, status, message } = fields;
  return {
    message: typeof message === 'string' ? message : 'unknown',
    code: typeof code === 'number' || typeof code === 'string' ? code : undefined,
    // A failed connection may have another `status`, which is not a number.
    status: typeof status === 'number' ? status : undefined,
  };
}
