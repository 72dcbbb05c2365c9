import { plainText } from '../domain/plain-text.ts';

/** An error of USCIS, or of something before it. */
export type ErrorEnvelope = {
  /** Its sentence. It is stored and shown to operators: only the ends of a receipt number stay. */
  message: string | null;
  /** The receipt numbers in the sentence. */
  receiptNumbers: string[];
  /** The body is the Case Status API's own and says something of the receipt, so a 404 is an answer about it. */
  isAboutReceipt: boolean;
};

const maxMessageLength = 500;
const receiptNumber = /\b([A-Z]{3})\d{6}(\d{4})\b/gi;

/** Null if the body has no sentence and no code, in none of the shapes of upstream.md, "Everything else". */
export function readErrorEnvelope(body: string): ErrorEnvelope | null {
  const error = readError(parseJson(body));
  if (error === null) return null;
  const said = error.message ?? '';
  return {
    message: said.replace(receiptNumber, '$1…$2').slice(0, maxMessageLength).toWellFormed() || null,
    receiptNumbers: (said.match(receiptNumber) ?? []).map((number) => number.toUpperCase()),
    isAboutReceipt: isAboutReceipt(error),
  };
}

type RawError = { message: string | null; code: string; isOwn: boolean };

const sentenceKeys = [
  'message',
  'faultstring',
  'detail',
  'description',
  'error_description',
  'errormessage',
  'msg',
];
const innerKeys = ['error', 'errors', 'fault', 'message', 'title'];
const codeKeys = ['code', 'errorcode'];
/** A list of errors in an object in an object. */
const maxDepth = 4;

/** The first sentence and the first code of a value, from outside in, whatever its shape. */
function readError(value: unknown, depth = maxDepth): RawError | null {
  if (depth === 0) return null;
  if (typeof value === 'string') {
    const message = textOf(value);
    return message === null ? null : { message, code: '', isOwn: false };
  }
  if (Array.isArray(value)) return value.length === 0 ? null : readError(value[0], depth - 1);
  if (typeof value !== 'object' || value === null) return null;
  const fields = new Map(
    Object.entries(value).map(([name, field]) => [name.toLowerCase(), field as unknown]),
  );
  const sentence = sentenceKeys.map((key) => textOf(fields.get(key))).find((text) => text !== null) ?? null;
  const inner = innerKeys.map((key) => readError(fields.get(key), depth - 1)).find((error) => error !== null);
  const code =
    codeKeys.map((key) => codeOf(fields.get(key))).find((text) => text !== '') ?? inner?.code ?? '';
  const message = sentence ?? inner?.message ?? null;
  if (message === null && code === '') return null;
  return { message, code, isOwn: fields.has('case_status') || (inner?.isOwn ?? false) };
}

/** The beginning of a text: more is searched by no expression. */
const textOf = (value: unknown) =>
  typeof value === 'string' ? (plainText(value)?.slice(0, 4 * maxMessageLength) ?? null) : null;
const codeOf = (value: unknown) =>
  ['string', 'number'].includes(typeof value) ? String(value).trim().slice(0, 40) : '';

// "/case-status/EAC…", "https://…", "case-status/EAC…": the address that was asked for says nothing of the receipt.
const address = /\S*\/\S*/g;
const ofGateway =
  /\b(?:api|routes?|prox(?:y|ies)|resources?|endpoints?|paths?|pages?|hosts?|servers?|handlers?|methods?)\b/i;

/** A framework's 404 may carry a code too, and names what it looked for: a route, a resource, a path. */
function isAboutReceipt({ message, code, isOwn }: RawError): boolean {
  const words = `${code} ${message}`.replace(address, ' ').replaceAll('_', ' ');
  if (/\breceipts?\b/i.test(words)) return true;
  return (
    (isOwn || /^404\b/.test(code) || /case/i.test(code)) &&
    /\bcases?\b/i.test(words) &&
    !ofGateway.test(words)
  );
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The callers treat other text as unreadable.
  }
}
