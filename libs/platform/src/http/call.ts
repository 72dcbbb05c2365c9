import {
  type Body,
  type CallerOf,
  type ErrorCode,
  type Fault,
  faultTexts,
  isErrorCode,
  requiredText,
  type Language,
  language,
  type Operation,
  type OperationName,
  type Params,
  type Query,
  textFaultTexts,
} from '@casewatch/contracts';
import type { Request } from 'express';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import type { SignedCaller } from './callers/principal.ts';
import type { Call } from './handler.ts';

const noBytes = Buffer.alloc(0);
const noQuery = z.strictObject({});
/** No body of the interface has more levels. */
const deepest = 8;
/** Of one part of a request: a body of an import has room for hundreds of thousands. */
const maxFaults = 50;

type Parts = Pick<Request, 'params' | 'query' | 'body'>;

/**
 * @param parts of one call among several in a request; default: those of the request
 * @throws ApiError with every fault of the request (interface.md §1)
 */
export function parseCall<N extends OperationName>(
  row: Operation,
  req: Request,
  signed: SignedCaller,
  parts: Parts = req,
): Call<N> {
  const faults: Fault[] = [];
  const params = parsePart(row.params, parts.params, 'path', faults);
  const query = parsePart(row.query ?? noQuery, parts.query, 'query', faults);
  const isFile = Buffer.isBuffer(parts.body);
  const body = isFile ? {} : parsePart(row.body, parts.body ?? {}, 'body', faults);
  if (faults.length > 0) throw faultsError(faults);
  if (row.errors.includes('empty_update') && Object.keys(body as object).length === 0)
    throw new ApiError('empty_update');
  return {
    caller: signed.principal as CallerOf<N>,
    address: signed.address,
    params: params as Params<N>,
    query: query as Query<N>,
    body: body as Body<N>,
    // Few operations use these three.
    get language() {
      return languageOf(req);
    },
    get wantsPage() {
      return wantsPage(req);
    },
    get isProgram() {
      return isProgram(req);
    },
    bytes: Buffer.isBuffer(req.body) ? req.body : noBytes,
    header: (name) => req.get(name),
    url: req.url,
    remember: async () => {},
  };
}

/** Browsers name HTML; programs name JSON, or send a wildcard or no `Accept`. */
export function wantsPage(req: Pick<Request, 'accepts'>): boolean {
  return req.accepts(['json', 'html']) === 'html';
}

/** The best supported language of `Accept-Language` (RFC 9110 §12.5.4); default English. */
export function languageOf(req: Pick<Request, 'acceptsLanguages'>): Language {
  return language.catch('en').parse(req.acceptsLanguages([...language.options]));
}

/** Mail scanners and link previews send a wildcard or no `Accept`. Browsers mark a prefetch (Fetch, Sec-Purpose). */
function isProgram(req: Request): boolean {
  const isPrefetch = ['sec-purpose', 'purpose'].some((name) =>
    req.get(name)?.toLowerCase().includes('prefetch'),
  );
  return !isPrefetch && req.accepts().some((type) => type.toLowerCase() === 'application/json');
}

/** The code is that of the faults, if they have only one and the catalogue has it. */
export function faultsError(faults: Fault[]): ApiError {
  const codes = [...new Set(faults.map((fault) => fault.code))];
  const singleCode = codes.length === 1 ? codes[0] : undefined;
  if (singleCode !== undefined && isErrorCode(singleCode)) return new ApiError(singleCode, { faults });
  return new ApiError(generalCode(faults), { message: sentence(faults), faults });
}

function generalCode(faults: Fault[]): ErrorCode {
  if (faults.some((fault) => fault.in === 'body')) return 'validation_failed';
  return faults.every((fault) => fault.code === 'unknown_parameter')
    ? 'unknown_parameter'
    : 'invalid_parameter';
}

function sentence(faults: Fault[]): string {
  const first = faults
    .slice(0, 3)
    .map((fault) => `${fault.pointer?.slice(2) ?? fault.parameter ?? 'body'} ${fault.message}`);
  return `${first.join('; ')}${faults.length > 3 ? '; and more' : ''}.`;
}

function parsePart(
  schema: z.ZodObject | undefined,
  value: unknown,
  source: Fault['in'],
  faults: Fault[],
): unknown {
  if (!schema) return {};
  const parsed = schema.safeParse(value, { error: source === 'body' ? faultTexts : textFaultTexts });
  const lost = source === 'body' ? lostKeys(value, []) : [];
  const others = (parsed.error?.issues ?? []).flatMap((issue) => toFaults(issue, source));
  faults.push(...[...lost, ...others].slice(0, maxFaults));
  return parsed.data ?? {};
}

/** An open object loses this key when it is parsed, so it is refused. Others are known, or refused as unknown. */
function lostKeys(value: unknown, path: readonly string[]): Fault[] {
  if (typeof value !== 'object' || value === null || path.length > deepest) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const isLost = key === '__proto__' && path.length > 0;
    const pointer = `#${[...path, key].map(escaped).join('')}`;
    if (isLost)
      return [{ in: 'body' as const, pointer, code: 'invalid_key', message: 'is not allowed as a name' }];
    return lostKeys(inner, [...path, key]);
  });
}

function toFaults(issue: z.core.$ZodIssue, source: Fault['in']): Fault[] {
  const toFault = (path: readonly PropertyKey[], code: string): Fault =>
    source === 'body'
      ? { in: source, pointer: `#${path.map(escaped).join('')}`, code, message: issue.message }
      : { in: source, parameter: String(path[0] ?? ''), code, message: issue.message };
  if (issue.code !== 'unrecognized_keys') return [toFault(issue.path, codeOf(issue, source))];
  const code = source === 'body' ? 'unknown_field' : 'unknown_parameter';
  return issue.keys.map((key) => toFault([...issue.path, key], code));
}

function codeOf(issue: z.core.$ZodIssue, source: Fault['in']): string {
  const custom = issue.code === 'custom' ? (issue.params?.code as string | undefined) : undefined;
  if (custom) return custom;
  if (source !== 'body') return 'invalid_parameter';
  return issue.code === 'invalid_type' && issue.message === requiredText ? 'required' : issue.code;
}

function escaped(segment: PropertyKey): string {
  return `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
