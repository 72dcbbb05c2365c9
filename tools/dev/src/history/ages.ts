const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Events and deliveries are kept for 30 days. */
const historyDays = 29;

/** When a user and a case were created, and when the case changed: fractions of the history, in this order. */
export type Moments = { readonly user: number; readonly created: number; readonly changed: number };

/** Of case `index`, which is one of the cases of user `user`. Multiples of the golden ratio lie evenly and in no order. */
export function momentsOf(user: number, index: number): Moments {
  const began = evenly(user) * 0.8;
  const created = began + (1 - began) * 0.6 * evenly(index);
  return { user: began, created, changed: created + (1 - created) * evenly(index + 0.5) };
}

function evenly(index: number): number {
  return (index * 0.618_033_988_75) % 1;
}

/** Gives moments their dates before `now`: more by day than at night, and few at weekends. */
export function createCalendar(now: Date): (moment: number) => Date {
  const end = now.getTime() - hourMs / 6;
  const hours = Array.from(
    { length: historyDays * 24 },
    (_, back) => end - (historyDays * 24 - back) * hourMs,
  );
  const weights = hours.map((at) => weightOf(new Date(at)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (moment) => {
    let left = Math.min(Math.max(moment, 0), 1) * total;
    const place = weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    const start = hours[place];
    const weight = weights[place];
    if (start === undefined || weight === undefined) return new Date(end);
    return new Date(start + Math.round((1 + left / weight) * hourMs));
  };
}

function weightOf(at: Date): number {
  const isOffice = at.getTime() % dayMs >= 12 * hourMs && at.getUTCHours() < 23;
  const isWeekend = at.getUTCDay() % 6 === 0;
  return (isOffice ? 8 : 1) * (isWeekend ? 0.2 : 1);
}
