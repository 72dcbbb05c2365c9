import type { Fault } from '@casewatch/contracts';
import { ApiError, faultsError } from '@casewatch/platform';
import { BlockedAddressError, NameError } from '../clients/public-addresses.ts';
import type { Context } from '../context.ts';
import { headerFaults } from '../domain/header-faults.ts';
import { judgeUrl } from '../domain/webhook-url.ts';

type Wanted = { url?: string | undefined; headers?: Record<string, string> | undefined };

/** Longest look-up while a caller waits, ms; an attempt has more time. */
const dnsMs = 1_500;

/** One sentence for every reason: which names exist inside, and where they lead, is not for callers to learn. */
const notPublic = 'its host must have public addresses only';

/**
 * Checks what an endpoint is to be called with.
 * @returns the address as it will be called, normalised; undefined where none was given
 * @throws ApiError webhook_url_not_allowed with the reason, or validation_failed
 */
export async function checkEndpoint(ctx: Context, { url, headers }: Wanted): Promise<string | undefined> {
  const faults = headerFaults(headers ?? {});
  const checked = url === undefined ? undefined : await checkUrl(ctx, url);
  if (checked?.fault) faults.push(checked.fault);
  if (faults.length === 0) return checked?.href;
  throw faults.length === 1 && checked?.fault ? notAllowed(checked.fault) : faultsError(faults);
}

type Checked = { href: string; fault?: undefined } | { fault: Fault; href?: undefined };

async function checkUrl(ctx: Context, text: string): Promise<Checked> {
  const judged = judgeUrl(text, { allowLoopback: ctx.config.WEBHOOKS_ALLOW_LOOPBACK });
  if (!('url' in judged)) return { fault: urlFault(judged.reason) };
  try {
    await ctx.addresses.judge(judged.url.hostname, dnsMs);
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
