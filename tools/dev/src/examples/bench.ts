import { type ErrorCode, errorCatalogue, problem, type RecordedExchange } from '@casewatch/contracts';
import { send } from '@casewatch/driver';
import type { DataDir } from '../data-dir.ts';
import type { DevEnvFile, DevFile } from '../dev-files.ts';
import { Problem } from '../problem.ts';
import type { Make } from './exchange.ts';
import { createStandIns } from './stand-ins.ts';
import { createWorld } from './world.ts';

export type Recording = {
  dev: DevFile;
  env: DevEnvFile;
  data: DataDir;
  say: (line: string) => void;
  signal: AbortSignal;
  startedAt: Date;
};

/** How often a busy machine's 503 is asked again. */
const tries = 5;

export type Bench = ReturnType<typeof createBench>;

/**
 * Where one operation's exchanges are made, in a world and with stand-ins of its own: what it shows does not depend on the
 * others, so that one can be recorded alone.
 */
export function createBench({ dev, env, data, say, signal, startedAt }: Recording, operation: string) {
  const world = createWorld({ dev, env, data, signal, operation });
  const standIn = createStandIns(dev, startedAt);

  async function exchange(method: string, make: Make, where: string): Promise<RecordedExchange> {
    signal.throwIfAborted();
    say(where);
    for (let tried = 1; ; tried += 1) {
      const ask = await make(world);
      const { status, body } = await send(dev, method, ask);
      await world.calm();
      if (body.code === 'service_unavailable' && tried < tries) continue;
      const { path, form } = ask;
      const request = { path, ...(ask.body !== undefined && { body: ask.body }), ...(form && { form }) };
      return standIn({ request, status, body: status === 204 ? null : body });
    }
  }

  return {
    /** @throws Problem where another status comes, or a body that `faultOf` finds fault with */
    async succeeds(
      method: string,
      make: Make,
      expected: { status: number; faultOf: (body: unknown) => string | undefined },
    ): Promise<RecordedExchange> {
      const where = `${operation} ${expected.status}`;
      const shown = await exchange(method, make, where);
      const fault = expected.faultOf(shown.body);
      if (shown.status !== expected.status || fault !== undefined) throw wrong(where, shown, fault);
      return shown;
    },

    /** @throws Problem where another error comes, or none */
    async fails(method: string, make: Make, code: ErrorCode): Promise<RecordedExchange> {
      const where = `${operation} ${code}`;
      const shown = await exchange(method, make, where);
      const { data, error } = problem.safeParse(shown.body);
      const isIt = shown.status === errorCatalogue[code].status && data?.code === code;
      if (!isIt) throw wrong(where, shown, error?.message);
      return shown;
    },
  };
}

function wrong(where: string, { status, body }: RecordedExchange, fault = ''): Problem {
  return new Problem(`${where}: answered ${status} ${JSON.stringify(body)} ${fault}`);
}
