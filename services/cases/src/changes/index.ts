export { reviewerOf } from './review-changes.ts';
