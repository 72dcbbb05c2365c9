import type { Addresses } from './addresses.ts';
import type { DataDir } from './data-dir.ts';
import type { DemoPartner } from './dev-files.ts';

interface BannerContent {
  addresses: Addresses;
  partner: DemoPartner;
  other_partner: DemoPartner;
  data: DataDir;
  /** How long the start took. */
  seconds: number;
}

/** What a newcomer needs once everything is ready. */
export function printBanner({ addresses, partner, other_partner, data, seconds }: BannerContent): void {
  const { gateway_url, mail_url, uscis_url, twilio_url, receiver_url, mongodb_url, nats_url } = addresses;
  console.log(`
Casewatch is ready (${seconds.toFixed(1)} s). Ctrl-C stops it.

  API                 ${gateway_url}/v1
  mail catcher        ${mail_url}
  government stand-in ${uscis_url}
  WhatsApp stand-in   ${twilio_url}
  webhook receiver    ${receiver_url}
  MongoDB             ${mongodb_url}
  NATS                ${nats_url}

  demo partner        X-API-KEY ${partner.api_key}
                      X-API-SECRET ${partner.api_secret}
  another partner     X-API-KEY ${other_partner.api_key}
                      X-API-SECRET ${other_partner.api_secret}

  Try   curl -s ${gateway_url}/v1/client/users -H 'X-API-KEY: ${partner.api_key}' -H 'X-API-SECRET: ${partner.api_secret}'
  Then  npm run demo:advance      one case moves on: update, mail, WhatsApp, webhook

  Logs  ${data.logs}/<name>.log   addresses for scripts: ${data.dev}
`);
}
