import { type Addresses, type DevFile, inMail } from '@casewatch/driver';
import { createPersonBrowser } from './person-browser.ts';
import { appCode } from './totp.ts';

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

/** Accepts the invitation in a browser, and sets up a second factor there. Returns the browser. */
export async function acceptWithSecondFactor(dev: DevFile, email: string) {
  const browser = createPersonBrowser(dev);
  await browser.post('/console/invitation', { token: await invitationTo(dev, email) });
  const path = '/console/second-factor';
  await browser.post(`${path}/set-up`, {});
  const key = /<code class="key">([A-Z2-7 ]+)</.exec((await browser.get(path)).text)?.[1] ?? '';
  const { status, text } = await browser.post(path, { code: appCode(key) });
  if (status !== 200) throw new Error(`the second factor was not set up: ${status} ${text}`);
  return browser;
}
