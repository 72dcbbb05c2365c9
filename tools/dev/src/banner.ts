import type { PartnerKeys } from '@casewatch/driver';
import type { Addresses } from './addresses.ts';

interface BannerContent {
  addresses: Addresses;
  partner: PartnerKeys;
  other_partner: PartnerKeys;
  opening: string;
  closing: string[];
  /** A link that opens the console of the demo partner, if there is one. */
  console_url?: string;
  /** Members of the demo partner's staff. */
  staff?: readonly { email: string; role: string }[];
}

export function printBanner(content: BannerContent): void {
  const { addresses, partner, other_partner, opening, closing, console_url, staff = [] } = content;
  const members = staff
    .map(({ email, role }) => `                      ${role.padEnd(7)} ${email}\n`)
    .join('');
  const staffLines =
    members === ''
      ? ''
      : `  staff of the firm   ${content.addresses.gateway_url}/console/sign-in   the codes are in the mail catcher\n${members}`;
  const { gateway_url, mail_url, uscis_url, twilio_url, receiver_url, traces_url, mongodb_url, nats_url } =
    addresses;
  console.log(`
${opening}

  API                 ${gateway_url}/v1
  pages for people    ${gateway_url}   in a browser, as sofia.demo@example.com; the code is in the mail catcher
  mail catcher        ${mail_url}
  USCIS stand-in      ${uscis_url}
  WhatsApp stand-in   ${twilio_url}
  webhook receiver    ${receiver_url}
  traces and logs     ${traces_url}
  MongoDB             ${mongodb_url}
  NATS                ${nats_url}

  demo partner        X-API-KEY ${partner.api_key}
                      X-API-SECRET ${partner.api_secret}
${console_url === undefined ? '' : `  console             ${console_url}\n                      once, within 10 minutes; another: npm run admin -- console link --partner ${partner.id}\n`}${staffLines}  another partner     X-API-KEY ${other_partner.api_key}
                      X-API-SECRET ${other_partner.api_secret}

  Try   curl -s ${gateway_url}/v1/client/users -H 'X-API-KEY: ${partner.api_key}' -H 'X-API-SECRET: ${partner.api_secret}'
${closing.map((line) => `  ${line}\n`).join('')}`);
}
