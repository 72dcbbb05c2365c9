import type { Fault } from '@casewatch/contracts';
import type { ApiError } from '@casewatch/platform';
import type { z } from 'zod';
import type { Posted, Refusal } from '../../pages/page.ts';

/** Faults stand beside their fields; what is left stands on top of the page. */
export function refusalOf(error: ApiError, posted: Posted): Refusal {
  const faults = error.options.faults ?? [];
  const fields = Object.fromEntries(faults.flatMap((fault) => fieldOf(fault, posted)));
  const isBesideFields = faults.length > 0 && Object.keys(fields).length === new Set(faults.map(nameOf)).size;
  const message = isBesideFields ? 'Some fields need a change.' : error.message;
  const { code, status, retryAfterS } = error;
  return { code, status, retryAfterS, message, fields, posted };
}

export function refusalOfForm(error: z.ZodError, posted: Posted): Refusal {
  const fields = Object.fromEntries(
    error.issues.map(({ path, message }) => [String(path[0] ?? ''), sentence(message)]),
  );
  return { code: 'validation_failed', status: 400, message: 'Some fields need a change.', fields, posted };
}

function fieldOf(fault: Fault, posted: Posted): [string, string][] {
  const name = nameOf(fault);
  return name in posted ? [[name, sentence(fault.message)]] : [];
}

/** `#/events/0` is a fault of the field `events`. */
function nameOf({ pointer, parameter }: Fault): string {
  return parameter ?? pointer?.split('/')[1] ?? '';
}

/** Faults of the services continue the name of the field: `must be an https URL`. */
function sentence(text: string): string {
  const first = /^(must|is|has|does) /.test(text) ? `This ${text}` : text;
  const capitalised = first.charAt(0).toUpperCase() + first.slice(1);
  return /[.!?]$/.test(capitalised) ? capitalised : `${capitalised}.`;
}
