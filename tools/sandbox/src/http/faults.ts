import { z } from 'zod';

/** Share of requests that get a fault, 0 to 1. */
export const faultRatio = z.number().min(0).max(1).default(1);

/** Delay before an answer, ms; at most ten minutes. */
export const delayMs = z.number().int().min(0).max(600_000);

export const httpStatus = z.number().int().min(200).max(599);

/** The fault if it is for this request (`isTarget`) and the ratio selects the request, else null. */
export function selectFault<F extends { mode: string; ratio: number }>(
  fault: F,
  isTarget: boolean,
): F | null {
  return fault.mode !== 'none' && isTarget && Math.random() < fault.ratio ? fault : null;
}
