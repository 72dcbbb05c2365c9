import { idText, type OperationName, type Operation, operations } from '@casewatch/contracts';
import { ApiError, assertRecentSignIn, principalHeader, timeLeftHeader } from '@casewatch/platform';
import type { Express, Request, Response } from 'express';
import { withTimeouts } from '../../clients/with-timeouts.ts';
import type { Context } from '../../context.ts';
import { addressLimit } from '../../limits/address-limit.ts';
import { pageHeaders } from '../../pages/layout.ts';
import { askWithinLimit, assertAllowed } from '../authorise-request.ts';
import { contextHeaders, receiveFileMs } from '../forward.ts';
import { askServices } from './ask-service.ts';
import type { ConsoleKind } from './console-kind.ts';
import { sendFailure } from './send-page.ts';

type Export = 'export_cases' | 'export_changes' | 'export_users' | 'export_refused_rows';

/** What would be refused is refused as a page, before the file begins. */
const exports = [
  { path: '/console/cases.csv', name: 'export_cases', first: 'list_partner_cases' },
  { path: '/console/changes.csv', name: 'export_changes', first: 'list_changes' },
  { path: '/console/users.csv', name: 'export_users', first: 'list_partner_users' },
  { path: '/console/imports/:import_id/refused.csv', name: 'export_refused_rows', first: 'list_import_rows' },
] as const satisfies readonly { path: string; name: Export; first: OperationName }[];

/** The files of the interface for members who are signed in: the same rows, refused by the same rules, recorded as theirs. */
export function mountExports(app: Express, ctx: Context, kind: ConsoleKind): void {
  for (const { path, name, first } of exports) {
    app.get(path, async (req, res) => {
      res.locals.operation = `page ${path}`;
      res.set(pageHeaders);
      try {
        await send(req, res, { path, name, first });
      } catch (error) {
        sendFailure({ ctx, kind, req, res }, null, error);
      }
    });
  }

  async function send(
    req: Request,
    res: Response,
    { path, name, first }: { path: string; name: Export; first: OperationName },
  ) {
    const row: Operation = operations[name];
    const address = req.ip ?? 'unknown';
    const limit = addressLimit(ctx.limits, address);
    const session = await askWithinLimit(limit, res, (beforeAsking) => kind.load(req, res, beforeAsking));
    const principal = kind.principalOf(session);
    res.locals.principal = principal;
    const [policy, id] = kind.limitOf(session);
    assertAllowed(await ctx.limits.take(policy, id));
    ctx.refusals.authorise({ name, row, principal, address });
    // Its scopes read, as the role viewer does, and a viewer exports nothing (firm.md §6).
    if (kind.isReadOnly(session)) {
      const error = new ApiError('insufficient_scope', { message: 'A read-only session exports nothing.' });
      throw ctx.refusals.ofPage(path, { principal, address }, error);
    }
    assertRecentSignIn(row, principal, ctx.clock.now());
    const params = paramsOf(req);
    // Filters of a page that are empty are none.
    const query = Object.entries(req.query).filter(([, value]) => typeof value === 'string' && value !== '');
    const filters = Object.fromEntries(query) as Record<string, string>;
    await withTimeouts(res, { answerMs: row.deadlineMs, receiveMs: receiveFileMs }, async (timeouts) => {
      const caller = `${policy} ${id}`;
      const ask = askServices(ctx, { principal, address, caller, signal: timeouts.signal });
      await ask(first, { params, query: { ...filters, limit: '1' } } as never);
      const service = ctx.services.get(row.service);
      if (!service) throw new ApiError('service_unavailable', { detail: `no address for ${row.service}` });
      const end = await ctx.concurrency.enter(caller, row, {
        controller: timeouts,
        waitMs: row.deadlineMs / 2,
      });
      try {
        const search = new URLSearchParams(filters).toString();
        const target = row.path.replace('{import_id}', params.import_id ?? '');
        const headers = [
          ...contextHeaders(),
          ...[principalHeader, ctx.sign({ principal, address }, row.service, undefined)],
          ...[timeLeftHeader, String(row.deadlineMs)],
        ];
        const request = {
          method: 'GET',
          path: search === '' ? target : `${target}?${search}`,
          headers,
          body: null,
          waitMs: row.deadlineMs / 2,
        };
        await service.forward(request, res, timeouts);
      } finally {
        end();
      }
    });
  }
}

/** @throws ApiError route_not_found */
function paramsOf(req: Request): { import_id?: string } {
  const { import_id } = req.params;
  if (import_id === undefined) return {};
  if (idText.safeParse(import_id).success) return { import_id: String(import_id) };
  throw new ApiError('route_not_found', { message: 'There is no such page.' });
}
