/** npm run examples: the contract tests record the examples of the documents. */
process.env.RECORD_EXAMPLES = '1';
process.argv.push('tests/contract/examples.test.ts');
await import('./test.mjs');
