/** Where a system and its stand-ins are; base addresses without a trailing slash, under the names of dev.json. */
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

/** The part of dev.json that every system has, also one in a cluster. */
export interface DevFile extends Addresses {
  partner: PartnerKeys;
  other_partner: PartnerKeys;
}
