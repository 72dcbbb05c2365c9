import type { Request } from 'express';
import type { z } from 'zod';
import { ControlError } from './control-error.ts';

/** @throws ControlError 400 with one sentence that names every fault */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ControlError(400, describeIssues(parsed.error));
}

/** All faults of a zod error as one sentence: `ratio: Too big…; unknown field "colour".` */
export function describeIssues(error: z.ZodError): string {
  const faults = error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    const fault =
      issue.code === 'unrecognized_keys' ? `unknown field "${issue.keys.join('", "')}"` : issue.message;
    return path === '' ? fault : `${path}: ${fault}`;
  });
  return `${faults.join('; ')}.`;
}

export function pathText(req: Request, name: string): string {
  const value = req.params[name];
  return (Array.isArray(value) ? value.join('/') : value) ?? '';
}

/** The first value of a query parameter; undefined if absent or empty. */
export function queryText(req: Request, name: string): string | undefined {
  const value = req.query[name];
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? first : undefined;
}
