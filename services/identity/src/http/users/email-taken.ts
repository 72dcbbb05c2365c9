import { ApiError } from '@casewatch/platform';
import { fault } from '../../domain/check-user-body.ts';
import { isAddressTaken } from '../../store/users.ts';

/** Runs a write; the tenant's unique address that stands in its way becomes 409. */
export async function mapAddressTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isAddressTaken(error)) throw error;
    throw emailTaken();
  }
}

export function emailTaken(): ApiError {
  return new ApiError('email_already_exists', {
    faults: [fault('email', 'duplicate', 'belongs to another user')],
  });
}
