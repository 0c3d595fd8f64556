/** First version: links, markers and paragraphs; the constructs follow. */
import { coppiceRules } from './rules.ts';
import type { Node, ParseOptions, Tree } from './tree.ts';

export function parse(source: string, options: ParseOptions = {}): Tree {
  const rules = options.rules ?? coppiceRules;
  const children: Node[] = [];
  let from = 0;
  for (;;) {
    const open = source.indexOf('[[', from);
    const close = open < 0 ? -1 : source.indexOf(']]', open);
    if (close < 0) break;
    const inside = source.slice(open + 2, close);
    const pipe = inside.indexOf('|');
    const target = rules.link(pipe < 0 ? inside : inside.slice(0, pipe), pipe >= 0, options.path);
    const end = close + 2;
    if (open > from) children.push({ type: 'text', value: source.slice(from, open), start: from, end: open });
    if (target.kind === 'marker')
      children.push({ type: 'marker', key: target.key, value: target.value, start: open, end });
    else if (target.kind === 'page') {
      const label = pipe < 0 ? inside : inside.slice(pipe + 1);
      children.push({
        type: 'link',
        target: target.target,
        isPath: target.isPath,
        fragment: target.fragment,
        start: open,
        end,
        children: [{ type: 'text', value: label, start: open + 2, end: close }],
      });
    } else children.push({ type: 'text', value: source.slice(open, end), start: open, end });
    from = end;
  }
  children.push({ type: 'text', value: source.slice(from), start: from, end: source.length });
  return {
    source,
    path: options.path,
    children,
    headings: [],
    switches: [],
    redirect: undefined,
    notices: [],
    rules,
  };
}
