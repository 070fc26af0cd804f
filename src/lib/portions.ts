/**
 * The same items in the same order, in portions that together weigh no more than `most`. One that is too heavy by
 * itself is a portion alone.
 */
export function* portionsOf<Item>(
  items: readonly Item[],
  weigh: (item: Item) => number,
  most: number,
): Generator<readonly Item[]> {
  let portion: Item[] = [];
  let weight = 0;
  for (const item of items) {
    const own = weigh(item);
    if (portion.length > 0 && weight + own > most) {
      yield portion;
      portion = [];
      weight = 0;
    }
    portion.push(item);
    weight += own;
  }
  if (portion.length > 0) yield portion;
}
