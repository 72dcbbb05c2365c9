type Move = {
  /** Dates before it were invented, and stay. */
  readonly since: Date;
  readonly byMs: number;
};

/** The dates of a row at or after `since`, by their path, moved to the past. Texts with JSON keep their other characters. */
export function movedDates(row: object, move: Move, prefix = ''): Record<string, Date | string> {
  return Object.assign(
    {},
    ...Object.entries(row).map(([name, value]) => {
      const path = prefix + name;
      if (value instanceof Date) return value < move.since ? {} : { [path]: moved(value, move) };
      if (typeof value === 'string') {
        const text = movedText(value, move);
        return text === value ? {} : { [path]: text };
      }
      const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
      return isPlain ? movedDates(value, move, `${path}.`) : {};
    }),
  );
}

function movedText(text: string, move: Move): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => {
    const date = new Date(time);
    return date < move.since ? time : moved(date, move).toISOString();
  });
}

function moved(date: Date, { byMs }: Move): Date {
  return new Date(date.getTime() - byMs);
}
