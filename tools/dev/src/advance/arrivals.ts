import { createPartner, type DevFile, expectStatus, hooksOf, mailsTo, messagesTo } from '@casewatch/driver';
import { DEMO_HOOK } from '../seed/demo-data.ts';

export interface DemoCase {
  id: number;
  receipt: string;
  email: string;
  phone: string;
}

export interface Arrival {
  name: string;
  /** Address to look at when nothing arrives. */
  where: string;
  /** The newest arrival since the call of arrivalsOf. */
  look(): Promise<string | undefined>;
}

export async function arrivalsOf(dev: DevFile, demo: DemoCase): Promise<Arrival[]> {
  const { call } = createPartner(dev, dev.partner);
  const updates = async (): Promise<string[]> => {
    type Body = { case: { update_count: number; latest_update: { status_code: string } | null } };
    const answer = await call<Body>('GET', `/v1/client/cases/${demo.id}`);
    const { update_count, latest_update } = expectStatus('read the demo case', answer, 200).case;
    const newest = `update_count ${update_count}: ${latest_update?.status_code}`;
    return Array.from({ length: update_count }, () => newest);
  };
  const mails = async () => (await mailsTo(dev, demo.email)).map(({ subject }) => subject);
  const messages = async () =>
    (await messagesTo(dev, demo.phone)).map(() => `message to the demo user's phone`);
  const hooks = async () =>
    (await hooksOf(dev, DEMO_HOOK)).flatMap(({ body, signature_ok }) => {
      const event = JSON.parse(body) as { type: string; data: { case?: { id: number } } };
      const ours = event.type === 'case.status_updated' && event.data.case?.id === demo.id;
      return ours ? [`${event.type}, signature ${signature_ok ? 'verified' : 'NOT verified'}`] : [];
    });
  return Promise.all([
    since('case', `${dev.gateway_url}/v1/client/cases/${demo.id}`, updates),
    since('mail', dev.mail_url, mails),
    since('WhatsApp', dev.twilio_url, messages),
    since('webhook', dev.receiver_url, hooks),
  ]);
}

async function since(name: string, where: string, read: () => Promise<string[]>): Promise<Arrival> {
  const before = (await read()).length;
  return { name, where, look: async () => (await read()).slice(before).at(-1) };
}
