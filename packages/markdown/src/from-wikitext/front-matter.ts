/** Facts about a page as front matter: YAML between two lines of hyphens. */
import { stringify } from 'yaml';

/** Ends in a line end. Keys keep their order; nothing is folded over lines. */
export function writeFrontMatter(facts: Readonly<Record<string, unknown>>): string {
  return `---\n${stringify(facts, { lineWidth: 0 })}---\n`;
}
