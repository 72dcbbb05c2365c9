import { ApiError, type Handler } from '@casewatch/platform';
import { applyReport } from '../changes/apply-report.ts';
import { suppressAddress } from '../changes/suppress-address.ts';
import { takeReply } from '../changes/take-reply.ts';
import type { Context } from '../context.ts';
import { twilioError, twilioSuppression } from '../domain/classify-twilio.ts';

type Form = Readonly<Record<string, unknown>>;

/** POST /v1/callbacks/twilio: Twilio reports the progress of a message, or passes on a person's message, signed. */
export function twilioCallback(ctx: Context): Handler<'twilio_callback'> {
  return async (call) => {
    const signature = call.header('x-twilio-signature') ?? '';
    const url = `${ctx.config.PUBLIC_URL}${call.url}`;
    const form: Form = call.body;
    if (!ctx.whatsapp?.isSigned({ signature, url, form })) throw new ApiError('invalid_signature');
    const { MessageSid: providerId, MessageStatus: providerStatus } = call.body;
    if (providerStatus === undefined) {
      // A button has a payload; its label may be translated.
      await takeReply(ctx, phoneOf(form.From), String(form.ButtonPayload ?? form.Body ?? ''));
      return {};
    }
    const errorCode = errorCodeOf(form.ErrorCode);
    const report = { providerId, providerStatus, error: twilioError(errorCode) };
    await applyReport(ctx, { channel: 'whatsapp', id: call.query.n }, report);
    const suppressed = twilioSuppression(errorCode);
    if (suppressed) await suppressAddress(ctx, 'whatsapp', phoneOf(form.To), suppressed);
    return {};
  };
}

function phoneOf(value: unknown): string {
  return String(value ?? '').replace(/^whatsapp:/, '');
}

function errorCodeOf(value: unknown): number | null {
  const code = Number(value);
  return Number.isInteger(code) && code > 0 ? code : null;
}
