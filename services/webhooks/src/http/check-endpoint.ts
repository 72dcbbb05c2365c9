import type { Fault } from '@casewatch/contracts';
import { ApiError, faultsError } from '@casewatch/platform';
import { BlockedAddressError, NameError } from '../clients/public-addresses.ts';
import type { Context } from '../context.ts';
import { headerFaults } from '../domain/header-faults.ts';
import { judgeUrl } from '../domain/webhook-url.ts';

type EndpointFields = { url?: string | undefined; headers?: Record<string, string> | undefined };

/** Shorter than in an attempt: a caller waits, ms. */
const dnsMs = 1_500;

/** One sentence for all reasons, so that callers learn nothing about internal names. */
const notPublic = 'its host must have public addresses only';

/** Returns the normalised address. @throws ApiError webhook_url_not_allowed, validation_failed */
export async function checkEndpoint(
  ctx: Context,
  { url, headers }: EndpointFields,
): Promise<string | undefined> {
  const faults = headerFaults(headers ?? {});
  const checked = url === undefined ? undefined : await checkUrl(ctx, url);
  if (checked?.fault) faults.push(checked.fault);
  if (faults.length === 0) return checked?.href;
  throw faults.length === 1 && checked?.fault ? notAllowed(checked.fault) : faultsError(faults);
}

type Checked = { href: string; fault?: undefined } | { fault: Fault; href?: undefined };

async function checkUrl(ctx: Context, text: string): Promise<Checked> {
  const { WEBHOOKS_ALLOW_LOOPBACK: allowLoopback, WEBHOOKS_ALLOWED_PORTS: ports } = ctx.config;
  const judged = judgeUrl(text, { allowLoopback, ports });
  if (!('url' in judged)) return { fault: urlFault(judged.reason) };
  try {
    await ctx.addresses.judgeHost(judged.url.hostname, dnsMs);
    return { href: judged.url.href };
  } catch (error) {
    if (!(error instanceof BlockedAddressError || error instanceof NameError)) throw error;
    ctx.log.debug({ reason: error.message }, 'endpoint address refused');
    return { fault: urlFault(notPublic) };
  }
}

function urlFault(message: string): Fault {
  return { in: 'body', pointer: '#/url', code: 'webhook_url_not_allowed', message };
}

function notAllowed(fault: Fault): ApiError {
  const message = `This address cannot receive webhooks: ${fault.message}.`;
  return new ApiError('webhook_url_not_allowed', { message, faults: [fault] });
}
