/** Content of the edit form, and comparison of two such contents. */

export interface Written {
  /** ID of the base change. */
  base: string;
  fields: [string, string][];
  files: File[];
  /** Text of the visual editor that has no source yet, for that editor to resume. */
  pending?: string;
}

/** The current form, which the server's response may replace. */
export interface WrittenForm {
  read(): Written;
  /** Resolves once `read` has the source of everything written, or to false if it cannot. */
  settle(): Promise<boolean>;
  write(written: Written): void;
}

/** Fields that describe the origin of a form, or that nobody typed. */
const unwritten = new Set([
  'base',
  'path-was',
  'parent-was',
  'section',
  'move-seen',
  'intent',
  'use-path',
  'pending-file',
  'drop-file',
]);

export function bodyOf({ fields }: Written): string {
  return fields.find(([name]) => name === 'body')?.[1] ?? '';
}

/** Equal for equal content, regardless of the order of fields, because parts of the form move with the screen width. */
export function signature({ fields, files, pending = '' }: Written): string {
  const typed = fields
    .filter(([name]) => !unwritten.has(name))
    .map(([name, value]) => `${name} ${value.replace(/\r\n?/g, '\n')}`)
    .sort();
  return JSON.stringify([typed, files.map(({ name, size }) => [name, size]), pending]);
}

/** Names, for people, of the fields besides the text that differ in `b`. */
export function changedFields(a: Written, b: Written): string[] {
  const was = new Map(a.fields);
  const names: Record<string, string> = {
    msg: 'message',
    lat: 'place',
    lon: 'place',
    path: 'address',
  };
  const changed = b.fields
    .filter(([name, value]) => name !== 'body' && !unwritten.has(name) && was.get(name) !== value)
    .map(([name]) => names[name] ?? name);
  return [...new Set(changed)];
}
