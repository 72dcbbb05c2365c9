import { ApiError, type Handler } from '@casewatch/platform';
import { applyReport } from '../changes/apply-report.ts';
import { suppressAddress } from '../changes/suppress-address.ts';
import { takeReply } from '../changes/take-reply.ts';
import type { Context } from '../context.ts';
import { twilioError, twilioSuppression } from '../domain/classify-twilio.ts';
import { readStopWord } from '../domain/stop-word.ts';

/** The fields of the form that count here. They are read leniently: the signature vouches for them. */
type Fields = (name: string) => string | null;

/** POST /v1/callbacks/twilio: Twilio reports the progress of a message, or passes on a person's message, signed. */
export function twilioCallback(ctx: Context): Handler<'twilio_callback'> {
  return async (call) => {
    const signature = call.header('x-twilio-signature') ?? '';
    const url = `${ctx.config.PUBLIC_URL}${call.url}`;
    if (!ctx.whatsapp?.isSigned({ signature, url, form: call.body })) throw new ApiError('invalid_signature');
    const field = fieldsOf(call.body);
    if (field('MessageStatus') === null) await takeMessage(ctx, field);
    else await takeStatus(ctx, field, call.query.n);
    return {};
  };
}

async function takeMessage(ctx: Context, field: Fields): Promise<void> {
  // Twilio's own reading, or a button: its payload is ours, its label may be translated.
  const wishes = [field('OptOutType'), field('ButtonPayload'), field('Body')].map((text) =>
    readStopWord(text ?? ''),
  );
  const wish = wishes.find((found) => found !== null);
  if (!wish) return;
  const id = field('MessageSid') ?? '';
  const reply = { id, phone: phoneOf(field('From')), isAnswered: field('OptOutType') !== null };
  await once(ctx, `twilio:${id}`, () => takeReply(ctx, wish, reply));
}

async function takeStatus(ctx: Context, field: Fields, id: string | undefined): Promise<void> {
  const errorCode = errorCodeOf(field('ErrorCode'));
  const providerId = field('MessageSid');
  const providerStatus = field('MessageStatus') ?? '';
  const report = { providerId, providerStatus, failure: { error: twilioError(errorCode) } };
  await applyReport(ctx, { channel: 'whatsapp', id }, report);
  const suppressed = twilioSuppression(errorCode);
  if (suppressed)
    await once(ctx, `twilio:${providerId}:${errorCode}`, () =>
      suppressAddress(ctx, 'whatsapp', phoneOf(field('To')), suppressed),
    );
}

/** Twilio's signature has no age: a recorded call must not suppress again what was lifted meanwhile. */
async function once({ stores }: Context, key: string, act: () => Promise<void>): Promise<void> {
  if ((await stores.providerEvents.among([key])).has(key)) return;
  await act();
  await stores.providerEvents.add([key], 'signed for ever');
}

/** Of a field that comes twice the last value counts. */
function fieldsOf(form: Readonly<Record<string, unknown>>): Fields {
  return (name) => {
    const value = [form[name]].flat().at(-1);
    return typeof value === 'string' && value !== '' ? value : null;
  };
}

function phoneOf(value: string | null): string {
  return (value ?? '').replace(/^whatsapp:/, '');
}

function errorCodeOf(value: string | null): number | null {
  const code = Number(value);
  return Number.isInteger(code) && code > 0 ? code : null;
}
