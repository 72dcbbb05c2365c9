/**
 * What `st run` is told beside the rules. `--short` stands for few examples and no chains of requests, which the whole run
 * makes; everything else goes on as it is, last, so that it holds.
 */
export function optionsOf(args: readonly string[]): string[] {
  const others = args.filter((arg) => arg !== '--short');
  if (others.length === args.length) return others;
  return ['--max-examples', '2', '--phases', 'examples,fuzzing', ...others];
}
