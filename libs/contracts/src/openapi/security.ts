import type { Operation } from '../operation.ts';

/** interface.md §1, Callers */
export const securitySchemes = {
  partner_key: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description:
      'Public part of a partner’s API key pair, `cwk_live_…`. Always sent together with X-API-SECRET.',
  },
  partner_secret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-SECRET',
    description:
      'Secret part of a partner’s API key pair, `cws_live_…`. Shown once, when the key is created.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'Access token of a user, from POST /v1/auth/token. Valid for 15 minutes; verified according to RFC8725.',
  },
};

/** `{}` is "none". Both partner headers form one alternative. */
export function securityOf({ who }: Operation): Record<string, string[]>[] {
  const alternatives: Record<string, string[]>[] = [];
  if (who.includes('partner')) alternatives.push({ partner_key: [], partner_secret: [] });
  if (who.includes('user')) alternatives.push({ bearer: [] });
  if (who.includes('anonymous') && alternatives.length > 0) alternatives.push({});
  return alternatives;
}

export function callersOf({ who, scope }: Operation): string {
  const kinds = [
    ...(who.includes('partner')
      ? [scope ? `a partner key with the scope \`${scope}\`` : 'a partner key']
      : []),
    ...(who.includes('user') ? ['a bearer token'] : []),
    ...(who.includes('anonymous') ? ['no credentials'] : []),
  ];
  return `Requires ${kinds.join(', or ')}.`;
}
