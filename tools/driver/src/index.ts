/** Talks to a running system, for tests, seed, demo, recorded examples, fuzz and cluster checks. */
export type { Addresses, DevFile, PartnerKeys } from './dev-file.ts';
export { expectStatus, UnexpectedAnswer } from './errors.ts';
export { approved, newReceipt, received, setAnswer, setFaults, setReceipt, titled } from './government.ts';
export { codePattern, inMail, type Mail, mailsTo } from './mails.ts';
export { operator, type PartnerWithKey } from './operator.ts';
export { createPartner, type Partner } from './partner.ts';
export { kidOf, loginCode, refreshTokens, signIn, type Tokens, verifyByMail } from './person.ts';
export { type Answer, type Ask, bearer, keyHeaders, send, succeed } from './send.ts';
export { hooksOf, messagesTo, type ReceivedHook, readJson, sendJson as tell } from './stand-in.ts';
export { until, type Waiting } from './until.ts';
