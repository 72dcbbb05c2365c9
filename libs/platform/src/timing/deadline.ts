import { ApiError } from '../errors.ts';

/** @throws ApiError service_unavailable after `ms`; the work itself goes on. */
export async function withDeadline<T>(work: Promise<T>, ms: number, name: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const detail = `${name} took over ${ms} ms`;
    timer = setTimeout(() => reject(new ApiError('service_unavailable', { detail })), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
