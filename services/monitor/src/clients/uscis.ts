import { type Clock, createHttpClient, inSpan, systemClock } from '@casewatch/platform';
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

/** The slot was over before the request could be written: nothing was sent. */
export class MissedSlotError extends Error {
  override readonly name = 'MissedSlotError';
}

/**
 * Client of the USCIS case status API (upstream.md). It logs nothing of a request or an answer.
 * `onAssumedLife`: called when a token comes without a lifetime that can be read.
 */
export function createUscis(
  settings: Settings,
  { clock = systemClock, onAssumedLife = () => {} }: { clock?: Clock; onAssumedLife?: () => void } = {},
) {
  const { USCIS_API_URL: apiUrl, USCIS_DEMO_ID: demo_id } = settings;
  const client = createHttpClient();
  const tokens = createTokens({ client, clock }, settings, onAssumedLife);
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
      // Only now the connection is ready; it stays open for the next slot.
      const beforeSending = () => {
        if (!mayWrite()) throw new MissedSlotError('the slot is over');
      };
      const call = { client, clock, method: 'GET' as const, headers, timeoutMs, beforeSending };
      // The path holds the receipt number, so the span has no address.
      return await inSpan({ name: 'GET case-status', kind: 'client' }, async (span) => {
        const answer = await requestAnswer(url, call).catch(missedSlot);
        if (answer instanceof MissedSlotError) span?.setAttribute('casewatch.outcome', 'missed_slot');
        else span?.setAttribute('http.response.status_code', answer.status);
        return answer;
      });
    },
    async close() {
      client.stop();
    },
  };
}

function missedSlot(error: unknown): MissedSlotError {
  if (error instanceof MissedSlotError) return error;
  throw error;
}
