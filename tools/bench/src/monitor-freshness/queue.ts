/** First in, first out, without the cost of `Array.shift`. */
export function createQueue() {
  let items: number[] = [];
  let head = 0;
  return {
    size: () => items.length - head,
    first: () => items[head],
    push: (item: number) => void items.push(item),
    shift(): number {
      const item = items[head] ?? -1;
      head += 1;
      if (head > 10_000 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
  };
}
