/** Names of emoji between colons, as on GitHub: `:tada:`. Unknown names stay as they are. */
import names from 'markdown-it-emoji/lib/data/full.mjs';

const known: Readonly<Record<string, string>> = names;

/** Replaces names between colons, such as `:tada:`, by their signs. Unknown names stay. */
export function emoji(text: string): string {
  return text.replace(/:([\w+-]{1,60}):/g, (written, name: string) =>
    Object.hasOwn(known, name) ? (known[name] ?? written) : written,
  );
}
