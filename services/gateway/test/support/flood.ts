import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { spawnProgram } from '@casewatch/testing';

export type Flood = {
  readonly port: number;
  readonly path: string;
  readonly count: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** How the body is announced; `headers`: not even the headers are complete. */
  readonly form?: 'length' | 'chunked' | 'headers';
  readonly bytes: number;
};

/** How one connection of a flood ended; status 0: without a response. */
export type FloodEnd = { readonly status: number; readonly retryAfter: string | undefined };

const program = fileURLToPath(new URL('./flood.program.ts', import.meta.url));

/**
 * Connections whose bodies come without their last byte, from a process of their own. Resolves with what each got when the
 * gateway has closed all.
 */
export async function flood(attack: Flood): Promise<FloodEnd[]> {
  const { child } = spawnProgram(program, {
    args: [JSON.stringify(attack)],
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('the flood has no output');
  return (await json(child.stdout)) as FloodEnd[];
}
