/** How many random and large cases are tried: `npm test` runs a sample of what `npm run test:thorough` runs. */
export const isThorough = process.env.COPPICE_TESTS === 'thorough';

export function effort<T>(usual: T, thorough: T): T {
  return isThorough ? thorough : usual;
}
