export { checkFor, seenIn } from './check.ts';
