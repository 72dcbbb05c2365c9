/** The options of `st run`. `--short`: few examples, no chains of requests. Later options override. */
export function optionsOf(args: readonly string[]): string[] {
  const others = args.filter((arg) => arg !== '--short');
  if (others.length === args.length) return others;
  return ['--max-examples', '2', '--phases', 'examples,fuzzing', ...others];
}
