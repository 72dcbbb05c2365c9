import type { Fault, UserStatus } from '@casewatch/contracts';
import { parsePhoneNumberFromString } from 'libphonenumber-js';

type Input = {
  phone?: string | null | undefined;
  status?: UserStatus | undefined;
  notify_by_whatsapp?: boolean | undefined;
};

/** All faults of a change that do not depend on the stored user (interface.md §1, §3). */
export function faultsOfChange(changes: Input, caller: 'user' | 'partner'): Fault[] {
  const faults = faultsOfPhone(changes.phone);
  if (caller === 'user' && changes.status === 'suspended') {
    faults.push(fault('status', 'not_allowed', 'can only be active or inactive'));
  }
  return faults;
}

export function faultsOfNewUser(body: Input): Fault[] {
  const faults = faultsOfPhone(body.phone);
  if (body.notify_by_whatsapp === true && (body.phone ?? null) === null) faults.push(phoneRequired());
  return faults;
}

export function phoneRequired(): Fault {
  return fault('notify_by_whatsapp', 'phone_required', 'needs a phone number');
}

export function phoneInUse(): Fault {
  return fault('phone', 'phone_required', 'cannot be removed while notify_by_whatsapp is true');
}

export function fault(field: string, code: string, message: string): Fault {
  return { in: 'body', pointer: `#/${field}`, code, message };
}

/** Only length and country code are checked: test numbers must pass. */
function faultsOfPhone(phone: string | null | undefined): Fault[] {
  if (phone === null || phone === undefined || parsePhoneNumberFromString(phone)?.isPossible()) return [];
  return [fault('phone', 'invalid_phone', 'is not a valid phone number')];
}
