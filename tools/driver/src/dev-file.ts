/** Base addresses of a system and its stand-ins without a trailing slash, by their names in dev.json. */
export interface Addresses {
  gateway_url: string;
  mail_url: string;
  uscis_url: string;
  twilio_url: string;
  receiver_url: string;
}

export interface PartnerKeys {
  id: number;
  api_key: string;
  api_secret: string;
}

/** The part of dev.json that a system in a cluster has too. */
export interface DevFile extends Addresses {
  partner: PartnerKeys;
  other_partner: PartnerKeys;
}
