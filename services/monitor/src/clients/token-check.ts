import { type Check, faultOf, ok, wrong } from '@casewatch/platform';
import { ZodError } from 'zod';
import type { MonitorConfig } from '../config.ts';
import { createUscis } from './uscis.ts';
import { TokenRefusedError } from './uscis-token.ts';

const subject = 'USCIS';
const withinMs = 10_000;

/** Asks USCIS for a token: that costs no request of the quota. */
export const tokenCheck: Check<MonitorConfig> = {
  subject,
  async run(config) {
    const uscis = createUscis(config);
    try {
      await uscis.token(withinMs);
      return [ok(subject, 'gives a token.')];
    } catch (error) {
      return [wrong(subject, sentenceOf(error))];
    } finally {
      await uscis.close();
    }
  },
};

function sentenceOf(error: unknown): string {
  if (error instanceof TokenRefusedError) {
    const { status } = error.answer;
    return status === 400 || status === 401 || status === 403
      ? `USCIS refuses USCIS_CLIENT_ID or USCIS_CLIENT_SECRET (${status}).`
      : `USCIS_TOKEN_URL answers ${status} instead of a token.`;
  }
  if (error instanceof ZodError)
    return 'USCIS_TOKEN_URL answers without a token: is it the address of tokens?';
  return `USCIS_TOKEN_URL: ${faultOf(error)}.`;
}
