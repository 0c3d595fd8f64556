/** Cache of the JavaScript runtime's date formatters. */

// Creating a formatter takes a hundred times as long as using it. The cache is bounded, because pages choose zones and
// languages.
const formats = new Map<string, Intl.DateTimeFormat | undefined>();
const maximumFormats = 50;

/** Returns undefined for a zone or language that the runtime does not know. */
export function formatOf(
  language: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat | undefined {
  const key = JSON.stringify([language, options]);
  if (formats.has(key)) return formats.get(key);
  if (formats.size >= maximumFormats) formats.clear();
  let made: Intl.DateTimeFormat | undefined;
  try {
    made = new Intl.DateTimeFormat(language, options);
  } catch {
    // Values that the runtime rejects are not cached.
  }
  formats.set(key, made);
  return made;
}
