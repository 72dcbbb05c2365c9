import { startSandbox } from '@casewatch/sandbox';
import { readEvent } from '@casewatch/testing';

export type Received = {
  headers: Record<string, string>;
  body: string;
  received_at: string;
  signature_ok: boolean | null;
};

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** The webhook receiver of the sandbox, by its control interface. Every body must have the schema of its event. */
export async function startReceiver() {
  const sandbox = await startSandbox();
  const control = (name: string) => `${sandbox.receiver_url}/sandbox/hooks/${name}`;
  return {
    urlOf: (name: string) => `${sandbox.receiver_url}/hooks/${name}`,
    /** A listener whose certificate, issued by `tlsAuthority`, is for other.example. */
    tlsUrlOf: (name: string) => `${sandbox.receiver_tls_url}/hooks/${name}`,
    tlsAuthority: sandbox.receiver_tls_ca,
    async configure(name: string, settings: object): Promise<void> {
      const response = await fetch(control(name), { method: 'PUT', body: JSON.stringify(settings) });
      if (!response.ok) throw new Error(`receiver answered ${response.status}`);
    },
    async calls(name: string): Promise<Received[]> {
      const calls = (await (await fetch(control(name))).json()) as Received[];
      for (const { body } of calls) readEvent(body);
      return calls;
    },
    stop: sandbox.stop,
  };
}
