/**
 * Syntax highlighting of the source: a line-based tokenizer modelled on the language's parser (line starts, then special
 * characters), fast enough to run at every key. For colours only.
 */
import {
  StreamLanguage,
  type StreamParser,
  type StringStream,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { Tag, tagHighlighter, tags } from '@lezer/highlight';

/** Each kind of token has the class `w-` followed by its name. */
const tokenTable = {
  marker: Tag.define(),
  template: Tag.define(),
  argument: Tag.define(),
  table: Tag.define(),
  target: Tag.define(),
  heading: tags.heading,
  strong: tags.strong,
  emphasis: tags.emphasis,
  link: tags.link,
  url: tags.url,
  comment: tags.comment,
  tag: tags.tagName,
  code: tags.monospace,
  list: tags.list,
  rule: tags.contentSeparator,
  switch: tags.keyword,
};

const highlighter = tagHighlighter(
  Object.entries(tokenTable).map(([name, tag]) => ({ tag, class: `w-${name}` })),
);

export function highlighting(format: string): Extension {
  const language = format === 'markdown' ? StreamLanguage.define(markdown) : StreamLanguage.define(wikitext);
  return [language, syntaxHighlighting(highlighter)];
}

interface State {
  /** End of a passage without markup, such as `</nowiki>`. */
  until: string | undefined;
  untilToken: string;
  heading: boolean;
  bold: boolean;
  italic: boolean;
  /** Depth of `{{`; whether the target of `[[` has ended. */
  templates: number;
  link: 'none' | 'target' | 'label';
  inTag: boolean;
}

const blank = (): State => ({
  until: undefined,
  untilToken: 'comment',
  heading: false,
  bold: false,
  italic: false,
  templates: 0,
  link: 'none',
  inTag: false,
});

/** Elements whose content is not markup. */
const rawElements = /^<(nowiki|pre|syntaxhighlight|source|math|code)\b[^<>]*>/i;

const wikitext: StreamParser<State> = {
  name: 'wikitext',
  startState: blank,
  copyState: (state) => ({ ...state }),
  tokenTable,
  blankLine(state) {
    state.heading = state.bold = state.italic = false;
  },
  token(stream, state) {
    if (state.until !== undefined) return throughRaw(stream, state);
    if (stream.sol()) {
      state.heading = state.bold = state.italic = false;
      state.link = 'none';
      if (state.templates === 0 || /^[|!{*#:;=-]/.test(stream.string)) {
        const start = lineStart(stream, state);
        if (start !== undefined) return start;
      }
    }
    if (state.inTag) {
      if (stream.match(/^\/?>/)) state.inTag = false;
      else if (!stream.match(/^[^>]+/)) stream.next();
      return 'tag';
    }
    return styled(inline(stream, state), state);
  },
};

function lineStart(stream: StringStream, state: State): string | undefined {
  if (/^={1,6}[^=].*?={1,6}\s*(<!--.*-->\s*)?$/.test(stream.string)) {
    state.heading = true;
    stream.match(/^=+/);
    return 'heading marker';
  }
  if (stream.match(/^-{4,}/)) return 'rule';
  if (stream.match(/^\s*(\{\||\|\}|\|-|\|\+)/)) {
    if (stream.string.trimStart().startsWith('|}')) return 'table';
    stream.match(/^[^|{[\]<]*$/);
    return 'table';
  }
  if (state.templates === 0 && stream.match(/^[|!](?![|}])/)) return 'table';
  if (stream.match(/^[*#:;]+/)) return 'list';
  if (stream.match(/^#redirect\b/i)) return 'switch';
  return undefined;
}

function inline(stream: StringStream, state: State): string | null {
  if (stream.match('<!--')) return intoRaw(stream, state, '-->', 'comment');
  const raw = stream.match(rawElements, false) as RegExpMatchArray | null;
  if (raw) {
    stream.match(raw[0]);
    if (!raw[0].endsWith('/>')) {
      state.until = `</${raw[1]?.toLowerCase()}>`;
      state.untilToken = 'code';
    }
    return 'tag';
  }
  if (stream.match(/^<\/?[a-z][\w-]*/i)) {
    state.inTag = true;
    return 'tag';
  }
  const quotes = stream.match(/^(?:'{5}|'{2,3})/) as RegExpMatchArray | null;
  if (quotes) {
    if (quotes[0].length !== 2) state.bold = !state.bold;
    if (quotes[0].length !== 3) state.italic = !state.italic;
    return 'marker';
  }
  if (stream.match('[[')) {
    state.link = 'target';
    return 'marker';
  }
  if (state.link !== 'none') {
    if (stream.match(']]')) {
      state.link = 'none';
      return 'marker';
    }
    if (stream.eat('|')) {
      state.link = 'label';
      return 'marker';
    }
  }
  if (stream.match(/^\{\{\{[^{}|\n]*(\|[^{}\n]*)?\}\}\}/)) return 'argument';
  if (stream.match(/^\{\{[^{}|\n]*/)) {
    state.templates++;
    return 'template';
  }
  if (state.templates > 0) {
    if (stream.match('}}')) {
      state.templates--;
      return 'template';
    }
    if (stream.match(/^\|[ \t]*[\w -]*(?==)/) || stream.eat('|')) return 'argument';
  }
  if (stream.match(/^\[(?=(https?:|mailto:|\/\/))/i)) return 'marker';
  if (stream.match(/^(https?:\/\/|mailto:)[^\s<>[\]{}|"]+/i)) return 'url';
  if (stream.match(/^__[A-Z]+__/)) return 'switch';
  if (stream.match(/^~{3,5}/)) return 'switch';
  if (stream.match(/^&(#\d+|#x[\da-f]+|\w+);/i)) return 'code';
  if (stream.match(/^\|\||^!!/)) return 'table';
  // Other text extends to the next special character.
  if (!stream.match(/^[^'[\]{}|<&~_!h\n]+/)) stream.next();
  return state.link === 'target' ? 'target' : state.link === 'label' ? 'link' : null;
}

function styled(token: string | null, state: State): string | null {
  const styles = [state.heading && 'heading', state.bold && 'strong', state.italic && 'emphasis', token];
  return styles.filter(Boolean).join(' ') || null;
}

function intoRaw(stream: StringStream, state: State, until: string, token: string): string {
  state.until = until;
  state.untilToken = token;
  return throughRaw(stream, state);
}

function throughRaw(stream: StringStream, state: State): string {
  const at = stream.string.toLowerCase().indexOf(state.until ?? '', stream.pos);
  const token = state.untilToken;
  if (at < 0) stream.skipToEnd();
  else if (token === 'comment' || at === stream.pos) {
    stream.pos = at + (state.until?.length ?? 0);
    state.until = undefined;
    return token === 'comment' ? 'comment' : 'tag';
  } else stream.pos = at;
  return token;
}

interface MarkdownState {
  fence: string | undefined;
  heading: boolean;
  link: boolean;
}

const markdown: StreamParser<MarkdownState> = {
  name: 'markdown',
  startState: () => ({ fence: undefined, heading: false, link: false }),
  copyState: (state) => ({ ...state }),
  tokenTable,
  token(stream, state) {
    if (stream.sol()) {
      state.heading = state.link = false;
      const fence = stream.match(/^\s{0,3}(`{3,}|~{3,})/, false) as RegExpMatchArray | null;
      if (fence && (state.fence === undefined || fence[1]?.startsWith(state.fence))) {
        state.fence = state.fence === undefined ? fence[1] : undefined;
        stream.skipToEnd();
        return 'code';
      }
      if (state.fence !== undefined) {
        stream.skipToEnd();
        return 'code';
      }
      if (stream.match(/^\s{0,3}#{1,6}\s/)) {
        state.heading = true;
        return 'heading marker';
      }
      if (stream.match(/^\s{0,3}([-*_]\s*){3,}$/)) return 'rule';
      if (stream.match(/^\s*([-*+]|\d+[.)])\s/) || stream.match(/^\s{0,3}>+/)) return 'list';
    }
    const token = markdownInline(stream, state);
    return [state.heading && 'heading', token].filter(Boolean).join(' ') || null;
  },
};

function markdownInline(stream: StringStream, state: MarkdownState): string | null {
  if (stream.match(/^`[^`]+`/)) return 'code';
  if (stream.match(/^(\*\*|__)(?=\S)[^*_]+(\*\*|__)/)) return 'strong';
  if (stream.match(/^([*_])(?=\S)[^*_]+[*_]/)) return 'emphasis';
  if (stream.match('[[')) {
    state.link = true;
    return 'marker';
  }
  if (state.link && stream.match(']]')) {
    state.link = false;
    return 'marker';
  }
  if (stream.match(/^!?\[[^\]]*\]\([^)]*\)/)) return 'link';
  if (stream.match(/^\{\{[^{}]*\}\}/)) return 'template';
  if (stream.match(/^https?:\/\/[^\s<>)]+/)) return 'url';
  if (!stream.match(/^[^`*_[\]{!h]+/)) stream.next();
  return state.link ? 'target' : null;
}
