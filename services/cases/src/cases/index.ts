export {
  assertActive,
  assertWithinLimit,
  assertWithinPartnerLimit,
  type LimitedPartner,
  reserveCaseSlot,
  stateOf,
  transactionInTurn,
} from './active-cases.ts';
export { deferredCheck, insertNewCase, prepareNewCase } from './create-case.ts';
export { change } from './update-case.ts';
