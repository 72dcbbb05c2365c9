import type { Fault } from './fault.ts';

type Reply = (error?: Error | null) => void;

/** Refuses, drops the connection, or never answers. */
export function applyFault(fault: Fault, { reply, drop }: { reply: Reply; drop: () => void }): void {
  if (fault.mode === 'reject') reply(refusal(fault.code ?? 550, fault.reply ?? 'Mailbox unavailable'));
  else if (fault.mode === 'greylist')
    reply(refusal(fault.code ?? 451, fault.reply ?? 'Greylisted, try again later'));
  else if (fault.mode !== 'hang') drop();
}

export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
