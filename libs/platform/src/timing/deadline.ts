import { ApiError } from '../errors.ts';

/**
 * An honest failure instead of a long wait: the work goes on, its caller hears 503.
 * @throws ApiError service_unavailable after `ms`
 */
export async function withDeadline<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ApiError('service_unavailable', { detail: `${what} took over ${ms} ms` })),
      ms,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
