import { ApiError, maxBodyBytes } from '@casewatch/platform';
import type { Leave } from '../domain/concurrency-limit.ts';
import { tooManyWaiting } from './caller-concurrency.ts';

/** `bytes`: the length that the caller announces, or the largest length of the operation. */
export type ExpectedBody = { readonly caller: string; readonly isAnonymous: boolean; readonly bytes: number };

export type BodyBudget = {
  /**
   * Takes room for a body before it is read, and returns a function that gives the room back.
   * @throws ApiError rate_limited if the caller's other bodies have its share; service_unavailable if those of all callers have all room
   */
  take(body: ExpectedBody): Leave;
};

type Part = { readonly bytes: number; readonly bytesOfCaller: number; used: number };

type OfCaller = { bodies: number; bytes: number };

/**
 * Bounds the memory for request bodies that arrive or are on their way to a service. Callers without credentials cannot use
 * up the room of those with credentials, large bodies not that of ordinary ones, and no caller that of all others.
 * @param bytes for all bodies
 * @param mostBodies of one caller at a time
 */
export function createBodyBudget(bytes: number, mostBodies: number): BodyBudget {
  const large = partOf(bytes / 2, bytes / 4);
  const anonymous = partOf(bytes / 4, bytes / 16);
  const known = partOf(bytes / 4, bytes / 16);
  const callers = new Map<string, OfCaller>();

  return {
    take({ caller, isAnonymous, bytes }) {
      const ordinary = isAnonymous ? anonymous : known;
      const part = bytes > maxBodyBytes ? large : ordinary;
      const ofCaller = callers.get(caller) ?? { bodies: 0, bytes: 0 };
      // The first body of a caller may be larger than its share.
      const isBeyondShare = ofCaller.bodies > 0 && ofCaller.bytes + bytes > part.bytesOfCaller;
      if (isBeyondShare || ofCaller.bodies >= mostBodies) throw tooManyWaiting();
      if (part.used + bytes > part.bytes) throw noRoom();
      part.used += bytes;
      callers.set(caller, { bodies: ofCaller.bodies + 1, bytes: ofCaller.bytes + bytes });
      return () => {
        part.used -= bytes;
        const { bodies, bytes: held } = callers.get(caller) ?? { bodies: 1, bytes };
        if (bodies > 1) callers.set(caller, { bodies: bodies - 1, bytes: held - bytes });
        else callers.delete(caller);
      };
    },
  };
}

function partOf(bytes: number, bytesOfCaller: number): Part {
  return { bytes, bytesOfCaller, used: 0 };
}

function noRoom(): ApiError {
  return new ApiError('service_unavailable', {
    retryAfterS: 1,
    detail: 'request bodies use all their memory',
  });
}
