import { z } from 'zod';

/** Share of requests a fault meets, 0 to 1; 1 when left out. */
export const faultRatio = z.number().min(0).max(1).default(1);

/** Delay before an answer in milliseconds; at most ten minutes. */
export const delayMs = z.number().int().min(0).max(600_000);

/** An HTTP status a stand-in may be told to answer. */
export const httpStatus = z.number().int().min(200).max(599);

/** True for about that share of calls. */
export function happens(ratio: number): boolean {
  return Math.random() < ratio;
}
