/** All that somebody wrote in the form of a page, and what of it differs. */

export interface Written {
  /** The change that it began with. */
  base: string;
  fields: [string, string][];
  files: File[];
}

/** The form that is shown, which may be replaced by the server's answer. */
export interface WrittenForm {
  read(): Written;
  write(written: Written): void;
}

/** Fields that say where a form came from, or that nobody typed. */
const unwritten = new Set([
  'base',
  'path-was',
  'parent-was',
  'section',
  'move-seen',
  'intent',
  'pending-file',
  'drop-file',
]);

export function bodyOf({ fields }: Written): string {
  return fields.find(([name]) => name === 'body')?.[1] ?? '';
}

/** Equal where the same was written. Whatever the order of the fields: parts of the form move with the width of the screen. */
export function signature({ fields, files }: Written): string {
  const typed = fields
    .filter(([name]) => !unwritten.has(name))
    .map(([name, value]) => `${name} ${value.replace(/\r\n?/g, '\n')}`)
    .sort();
  return JSON.stringify([typed, files.map(({ name, size }) => [name, size])]);
}

/** Names of the fields beside the text in which `b` differs, for people. */
export function changedFields(a: Written, b: Written): string[] {
  const was = new Map(a.fields);
  const names: Record<string, string> = {
    msg: 'message',
    lat: 'place',
    lon: 'place',
    path: 'address',
    'permissions-code': 'permissions',
  };
  const changed = b.fields
    .filter(([name, value]) => name !== 'body' && !unwritten.has(name) && was.get(name) !== value)
    .map(([name]) => names[name] ?? name);
  return [...new Set(changed)];
}
