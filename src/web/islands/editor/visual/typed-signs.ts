/** Signs that become what they mean while typing: `## `, `- `, `1. `, `> `, `**bold**`, `[[Page]]`. Backspace takes it back. */
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import type { Attrs } from 'prosemirror-model';
import type { Plugin } from 'prosemirror-state';
import type { Format } from '../marks.ts';
import { markType, nodeType } from './commands.ts';

/** Words between two equal signs. The text before the first sign may be none of its kind. */
function wrapped(pattern: RegExp, name: string): InputRule {
  return marked(pattern, name, () => null);
}

function marked(
  pattern: RegExp,
  name: string,
  attrsOf: (match: RegExpMatchArray) => Attrs | null,
): InputRule {
  return new InputRule(
    pattern,
    (state, match, start, end) => {
      const words = match[2] ?? match[1] ?? '';
      const before = match[2] === undefined ? '' : (match[1] ?? '');
      const type = markType(name);
      const from = start + before.length;
      if (!state.doc.resolve(from).parent.type.allowsMarkType(type)) return null;
      const marks = type.create(attrsOf(match)).addToSet(state.doc.resolve(from).marks());
      return state.tr.replaceWith(from, end, state.schema.text(words, marks)).removeStoredMark(type);
    },
    { inCodeMark: false },
  );
}

const words = String.raw`[^\s*_~\x60](?:[^*_~\x60\ufffc]{0,200}[^\s*_~\x60])?`;

const rules = [
  textblockTypeInputRule(/^(#{1,6})\s$/, nodeType('heading'), (match) => ({ level: match[1]?.length ?? 2 })),
  textblockTypeInputRule(/^(={2,6})\s$/, nodeType('heading'), (match) => ({ level: match[1]?.length ?? 2 })),
  textblockTypeInputRule(/^```([\w+-]{0,20})\s$/, nodeType('codeBlock'), (match) => ({
    language: match[1] ?? '',
  })),
  wrappingInputRule(/^\s*([-+*])\s$/, nodeType('bulletList')),
  wrappingInputRule(/^\s*>\s$/, nodeType('quote')),
  new InputRule(/^(?:---|—-)$/, ({ selection: { $from }, tr }) =>
    $from.depth === 1 && $from.parent.type.name === 'paragraph'
      ? tr.replaceWith($from.before(), $from.after(), [
          nodeType('rule').create(),
          nodeType('paragraph').create(),
        ])
      : null,
  ),
  wrapped(new RegExp(String.raw`(^|[^*])\*\*(${words})\*\*$`), 'bold'),
  wrapped(new RegExp(String.raw`(^|[^*])\*(${words})\*$`), 'italic'),
  wrapped(/(^|[^'])'''([^'\s](?:[^'\ufffc]{0,200}[^'\s])?)'''$/, 'bold'),
  wrapped(new RegExp(String.raw`(^|\s)_(${words})_$`), 'italic'),
  wrapped(new RegExp(`(^|[^~])~~(${words})~~$`), 'strike'),
  wrapped(/(^|[^`])`([^`\ufffc]{1,200})`$/, 'code'),
];

/** `[[Page]]` and `[[Page|other words]]`. */
const pageLink = new InputRule(
  /\[\[([^[\]|\ufffc]{1,200})(?:\|([^[\]|\ufffc]{1,200}))?\]\]$/,
  (state, match, start, end) => {
    const to = (match[1] ?? '').trim();
    if (to === '') return null;
    const link = markType('link').create({ to, kind: 'page' });
    const text = (match[2] ?? '').trim() || to;
    return state.tr
      .replaceWith(start, end, state.schema.text(text, [link]))
      .removeStoredMark(markType('link'));
  },
);

/** An address is a link to it once the next word begins. */
const addressLink = new InputRule(
  /(?:^|\s)(https?:\/\/[^\s<>"'[\]{}|\\]*[^\s<>"'[\]{}|\\.,;:!?)])\s$/,
  ({ tr }, match, _start, end) => {
    const to = match[1] ?? '';
    return tr
      .addMark(end - to.length, end, markType('link').create({ to, kind: 'address' }))
      .insertText(' ', end)
      .removeStoredMark(markType('link'));
  },
  { inCodeMark: false },
);

/** Lists in wikitext begin with 1, so that `1990. ` stays text there. */
function numbered(format: Format): InputRule {
  return wrappingInputRule(
    format === 'markdown' ? /^(\d{1,4})[.)]\s$/ : /^(1)[.)]\s$/,
    nodeType('orderedList'),
    (match) => ({ start: Number(match[1]) }),
    (match, node) => node.childCount + Number(node.attrs.start) === Number(match[1]),
  );
}

export function typedSigns(format: Format): Plugin {
  return inputRules({ rules: [...rules, numbered(format), pageLink, addressLink] });
}
