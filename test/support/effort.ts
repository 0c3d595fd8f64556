/** How much of what chance or size decides is tried: `npm test` takes a sample of what `npm run test:thorough` takes. */
export const isThorough = process.env.COPPICE_TESTS === 'thorough';

export function effort<T>(usual: T, thorough: T): T {
  return isThorough ? thorough : usual;
}
