import { type Addresses, createPartner, expectStatus, type PartnerKeys } from '@casewatch/driver';

/** A link that opens the console of the demo partner once. */
export async function demoConsole(addresses: Addresses, keys: PartnerKeys): Promise<string> {
  const partner = createPartner(addresses, keys);
  const answer = await partner.call<{ console_link: { url: string } }>('POST', '/v1/client/console-links', {
    actor: 'Demo Person',
  });
  return expectStatus('create a console link', answer, 200).console_link.url;
}
