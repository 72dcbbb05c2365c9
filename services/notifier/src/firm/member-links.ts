import type { FirmMember } from '@casewatch/contracts';
import type { Context } from '../context.ts';
import { unsubscribeHeaders } from '../domain/unsubscribe-token.ts';
import { alertsOffUrl } from '../http/alerts-off.ts';

type Links = {
  links: { settingsLink: string | null; offLink: string | null };
  headers: Record<string, string>;
};

/**
 * Where a mail to a member leads besides its cases: to the own alerts, and to the page that switches such mails off, which mail programs
 * show, too. The firm's own address has neither.
 */
export function memberLinks(ctx: Pick<Context, 'config' | 'links'>, member: FirmMember | null): Links {
  if (member === null) return { links: { settingsLink: null, offLink: null }, headers: {} };
  const offLink = alertsOffUrl(ctx, member.id);
  return {
    links: { settingsLink: `${ctx.config.PUBLIC_URL}/console/alerts`, offLink },
    headers: unsubscribeHeaders(offLink),
  };
}
