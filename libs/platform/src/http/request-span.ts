import { type OperationName, operations } from '@casewatch/contracts';
import type { Request, Response } from 'express';
import type { CallContext } from '../telemetry/logger.ts';
import {
  failSpan,
  isTracing,
  type Span,
  type StartedSpan,
  startSpan,
  startTrace,
} from '../telemetry/spans.ts';
import { localsOf } from './response.ts';

export const probes = new Set(['/livez', '/readyz']);

/** The path is not known as a route yet, and may hold a token: the span has no name of its own before its end. */
export function startRequestSpan(req: Request, context: CallContext, isEdge: boolean): StartedSpan {
  if (!isTracing() || probes.has(req.path)) return { context };
  const attributes = { 'http.request.method': req.method };
  const description = { name: req.method, kind: 'server' as const, attributes };
  return isEdge ? startTrace(context, description, req.get('traceparent')) : startSpan(context, description);
}

export function endRequestSpan(span: Span, req: Request, res: Response): void {
  const operation = localsOf(res).operation;
  if (operation !== undefined) {
    const route = routeOf(operation);
    span.updateName(`${req.method} ${route}`);
    span.setAttributes({ 'http.route': route, 'casewatch.operation': operation });
  }
  span.setAttribute('http.response.status_code', res.statusCode);
  if (res.statusCode >= 500) failSpan(span, String(res.statusCode));
  if (!res.writableFinished) failSpan(span, 'client_left');
  span.end();
}

/** A page of the gateway is no operation of the table: its name is `page` with the route. */
function routeOf(name: string): string {
  return name in operations ? operations[name as OperationName].path : name.replace(/^page /, '');
}
