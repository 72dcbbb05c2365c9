import { type Addresses, type DevFile, inMail } from '@casewatch/driver';

const invitationLink = /\/console\/invitation\?token=([^\s>)]+)/;

/** The token of the newest invitation to an address; `nth` 0 is the first mail that has one. */
export async function invitationTo(dev: DevFile, email: string, nth = 0): Promise<string> {
  return await inMail(dev, email, invitationLink, { nth });
}

/** Presses the button of the page that an invitation opens. */
export async function pressAccept(at: Addresses, token: string) {
  const { origin } = new URL(at.gateway_url);
  const answer = await fetch(`${origin}/console/invitation`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ token }),
    redirect: 'manual',
  });
  return { status: answer.status, text: await answer.text() };
}

export async function acceptInvitation(dev: DevFile, email: string, nth = 0): Promise<void> {
  const { status, text } = await pressAccept(dev, await invitationTo(dev, email, nth));
  if (status !== 303) throw new Error(`the invitation was not accepted: ${status} ${text}`);
}
