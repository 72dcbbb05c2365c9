import { inSpan } from '@casewatch/platform';
import { Agent, type Dispatcher } from 'undici';
import type { MonitorConfig } from '../config.ts';
import { type HttpAnswer, requestAnswer } from './http-answer.ts';
import { createTokens } from './uscis-token.ts';

/** `mayWrite`: asked at the moment of writing; false = the slot is over. */
type Call = { token: string; timeoutMs: number; mayWrite: () => boolean };

export type Uscis = ReturnType<typeof createUscis>;

type Settings = Pick<
  MonitorConfig,
  'USCIS_TOKEN_URL' | 'USCIS_API_URL' | 'USCIS_CLIENT_ID' | 'USCIS_CLIENT_SECRET' | 'USCIS_DEMO_ID'
>;

/** More than the checks of both lanes that can run at once. */
const maxConnections = 300;
const connectTimeoutMs = 6_000;
const maxBodyBytes = 256 * 1024;

/** The slot was over before the request could be written: nothing was sent. */
export class MissedSlotError extends Error {
  override readonly name = 'MissedSlotError';
}

/**
 * Client of the USCIS case status API (upstream.md). It logs nothing of a request or an answer.
 * `onAssumedLife`: called when a token comes without a lifetime that can be read.
 */
export function createUscis(settings: Settings, { onAssumedLife = () => {} } = {}) {
  const { USCIS_API_URL: apiUrl, USCIS_DEMO_ID: demo_id } = settings;
  const agent = new Agent({
    connections: maxConnections,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    maxResponseSize: maxBodyBytes,
  });
  const tokens = createTokens(agent, settings, onAssumedLife);
  const casesUrl = apiUrl.replace(/\/$/, '');

  return {
    token: tokens.current,
    discardToken: tokens.discard,
    /** A missed slot is returned: the check takes another one, and its trace shows no error. @throws Error: network, time-out, size */
    async get(
      receiptNumber: string,
      { token, timeoutMs, mayWrite }: Call,
    ): Promise<HttpAnswer | MissedSlotError> {
      const url = `${casesUrl}/${encodeURIComponent(receiptNumber)}`;
      const authorization = `Bearer ${token}`;
      const headers = { accept: 'application/json', ...(demo_id && { demo_id }), authorization };
      const dispatcher = agent.compose(checkedAtWrite(mayWrite));
      // The path holds the receipt number, so the span has no address.
      return await inSpan({ name: 'GET case-status', kind: 'client' }, async (span) => {
        const answer = await requestAnswer(url, { dispatcher, headers, timeoutMs }).catch(missedSlot);
        if (answer instanceof MissedSlotError) span?.setAttribute('casewatch.outcome', 'missed_slot');
        else span?.setAttribute('http.response.status_code', answer.status);
        return answer;
      });
    },
    close: () => agent.destroy(),
  };
}

function missedSlot(error: unknown): MissedSlotError {
  if (error instanceof MissedSlotError) return error;
  throw error;
}

/** Only the handler of a request learns that its socket is ready. */
function checkedAtWrite(mayWrite: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      // Thrown, not aborted: the connection stays open for the next slot.
      if (!mayWrite()) throw new MissedSlotError('the slot is over');
      start?.(controller, context);
    };
    return dispatch(options, handler);
  };
}
