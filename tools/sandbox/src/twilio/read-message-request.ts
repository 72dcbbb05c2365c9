import { z } from 'zod';

// E.164 with or without the WhatsApp channel: a plus, then 7 to 15 digits, the first not 0.
const NUMBER = /^(whatsapp:)?\+[1-9]\d{6,14}$/;

const form = z.object({
  To: z.string().optional(),
  From: z.string().optional(),
  Body: z.string().optional(),
  ContentSid: z.string().optional(),
  ContentVariables: z.string().optional(),
  StatusCallback: z.string().optional(),
});

export interface MessageRequest {
  to: string;
  from: string;
  body: string;
  contentSid: string | null;
  contentVariables: unknown;
  statusCallback: string | null;
}

type Refusal = { status: number; code: number; message: string };

/** Reads the form of a new message; as at Twilio, the first fault decides. */
export function readMessageRequest(body: unknown): { order: MessageRequest } | { refusal: Refusal } {
  const parsed = form.safeParse(body ?? {});
  if (!parsed.success) return refuse(20001, 'A parameter was given more than once.');
  const { To, From, Body, ContentSid, ContentVariables, StatusCallback } = parsed.data;
  if (!To) return refuse(21604, "A 'To' phone number is required.");
  if (!From) return refuse(21603, "A 'From' phone number is required.");
  if (!NUMBER.test(To)) return refuse(21211, "The 'To' number is not a valid phone number.");
  if (!NUMBER.test(From)) return refuse(21212, "The 'From' number is not a valid phone number.");
  if (!Body && !ContentSid) return refuse(21619, 'A text message body or content is required.');
  if (StatusCallback && !URL.canParse(StatusCallback))
    return refuse(21609, 'The StatusCallback is not a valid URL.');
  const variables = parseVariables(ContentVariables);
  if (variables === undefined) return refuse(21656, 'The ContentVariables parameter is invalid.');
  const order = {
    to: To,
    from: From,
    body: Body ?? '',
    contentSid: ContentSid || null,
    contentVariables: variables,
    statusCallback: StatusCallback || null,
  };
  return { order };
}

function refuse(code: number, message: string): { refusal: Refusal } {
  return { refusal: { status: 400, code, message } };
}

/** Null without variables, undefined if they are not a JSON object. */
function parseVariables(text: string | undefined): unknown {
  if (!text) return null;
  try {
    return z.record(z.string(), z.unknown()).optional().catch(undefined).parse(JSON.parse(text));
  } catch (err) {
    if (err instanceof SyntaxError) return undefined;
    throw err;
  }
}
