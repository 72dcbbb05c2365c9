import type { Brand } from '../store/partners.ts';

/** The context, as far as addresses of ours need it. */
export type PublicUrl = { readonly config: { readonly PUBLIC_URL: string } };

/** Address of our copy of a partner's logo, which the gateway serves; null without one. */
export function logoUrlOf({ config }: PublicUrl, brand: Brand | null): string | null {
  return brand?.logo_name ? `${config.PUBLIC_URL}/logos/${brand.logo_name}` : null;
}
