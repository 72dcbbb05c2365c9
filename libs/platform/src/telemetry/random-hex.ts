import { randomFillSync } from 'node:crypto';

/** One call for the bytes of many ids. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Random bytes as lower-case hexadecimal text. @param bytes at most 4,096 */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}
