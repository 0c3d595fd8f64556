/** Parses examples in Markdown: a heading, a fenced block in the language, then an `html` block with its result. */

export type Example = { title: string; source: string; html: string };

export function readExamples(markdown: string, language = 'wikitext'): Example[] {
  const examples: Example[] = [];
  let title = '';
  let source: string | undefined;
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (/^#+ /.test(line)) title = line.replace(/^#+ /, '');
    const fence = /^(`{3,})(\w+)$/.exec(line);
    if (!fence) continue;
    const [, mark = '```', kind] = fence;
    const end = lines.indexOf(mark, at + 1);
    const text = lines.slice(at + 1, end).join('\n');
    if (kind === language) source = text;
    else if (kind === 'html' && source !== undefined) {
      examples.push({ title, source, html: text });
      source = undefined;
    }
    at = end;
  }
  return examples;
}
