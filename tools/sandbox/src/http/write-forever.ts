import type { Response } from 'express';

/** Writes a body that ends only when the client closes the connection. */
export function writeForever(res: Response): void {
  res.write('x'.repeat(65_536), () => {
    if (!res.destroyed) setImmediate(writeForever, res);
  });
}
