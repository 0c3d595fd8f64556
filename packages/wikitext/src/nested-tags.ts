/**
 * End tags of extensions within extensions. `expand` hides inner ones, so that the first one in sight is the outer one's.
 * A hidden one is U+0001, how often it is hidden, and the slash.
 */
const hidden = /<\/|\u0001(\d{1,3})\//g;

/** Hides end tags in `body`, to be undone once by whoever reads it. */
export function hideNested(body: string): string {
  if (!body.includes('</') && !body.includes('\u0001')) return body;
  return body.replace(
    hidden,
    (_all, level: string | undefined) => `\u0001${level === undefined ? 1 : Number(level) + 1}/`,
  );
}

export function showNested(body: string): string {
  if (!body.includes('\u0001')) return body;
  return body.replace(hidden, (all, level: string | undefined) => {
    if (level === undefined) return all;
    return Number(level) > 1 ? `\u0001${Number(level) - 1}/` : '</';
  });
}
