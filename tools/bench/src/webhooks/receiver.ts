import { join } from 'node:path';
import { startProcess } from '../kit/processes.ts';
import type { ReceiverState } from './receiver-main.ts';

/** A process with one port for each endpoint; the last `hanging` ports never answer. */
export async function startReceiver({ ports, hanging }: { ports: number; hanging: number }) {
  const receiver = await startProcess(
    join(import.meta.dirname, 'receiver-main.ts'),
    { RECEIVER_PORTS: String(ports), RECEIVER_HANGING: String(hanging) },
    { readyText: '"urls"' },
  );
  const { urls, controlUrl } = JSON.parse(receiver.readyLine) as { urls: string[]; controlUrl: string };
  return {
    receiver,
    urls,
    /** `/count` leaves out the arrivals. */
    async stateOf(path: '/' | '/count'): Promise<ReceiverState> {
      return (await (await fetch(`${controlUrl}${path}`)).json()) as ReceiverState;
    },
    async forgetArrivals(): Promise<void> {
      await fetch(controlUrl, { method: 'DELETE' });
    },
  };
}
