/** Splits a list into slices for queries of limited size. */
export function* slicesOf<T>(all: readonly T[], length = 500): Generator<T[]> {
  for (let from = 0; from < all.length; from += length) yield all.slice(from, from + length);
}
