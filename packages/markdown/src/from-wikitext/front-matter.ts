/** Writes facts about a page as front matter: YAML between two lines of hyphens. */
import { stringify } from 'yaml';

/** The result ends in a line end. Keys keep their order, and long values are not folded. */
export function writeFrontMatter(facts: Readonly<Record<string, unknown>>): string {
  return `---\n${stringify(facts, { lineWidth: 0 })}---\n`;
}
