const wholeNumber = new Intl.NumberFormat('en');

/** Something that an operator should look at. */
export type Finding = {
  readonly tone: 'bad' | 'warn';
  readonly text: string;
  /** Section of docs/runbooks.md. */
  readonly runbook?: string;
  readonly command?: string;
};

/** `1 event`, `1,234 events` */
export function counted(count: number, noun: string): string {
  return `${wholeNumber.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}
