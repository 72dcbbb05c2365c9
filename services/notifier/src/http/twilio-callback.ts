import { ApiError, type Handler } from '@casewatch/platform';
import { applyReport } from '../changes/apply-report.ts';
import type { Context } from '../context.ts';

/** POST /v1/callbacks/twilio: Twilio reports the progress of a message, signed. */
export function twilioCallback(ctx: Context): Handler<'twilio_callback'> {
  return async (call) => {
    const signature = call.header('x-twilio-signature') ?? '';
    const url = `${ctx.config.PUBLIC_URL}${call.url}`;
    if (!ctx.whatsapp?.isSigned({ signature, url, form: call.body })) throw new ApiError('invalid_signature');
    await applyReport(ctx, call.query.n, {
      providerId: call.body.MessageSid,
      providerStatus: call.body.MessageStatus,
      errorCode: errorCodeOf(call.body.ErrorCode),
    });
    return {};
  };
}

function errorCodeOf(value: unknown): number | null {
  const code = Number(value);
  return Number.isInteger(code) && code > 0 ? code : null;
}
