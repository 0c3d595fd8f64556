/** Liquid and kramdown as Jekyll's pages use them: links, highlighted code, lists of attributes. */
import { readFrontMatter } from '@coppice/markdown';
import type { Approximation } from '../../source.ts';
import { tables, withHeading } from './kramdown-tables.ts';
import { outsideCode, outsideFences } from './tags.ts';

/** Path of the file of a post: folders stand before `_posts`. */
function postOf(name: string): string {
  const slash = name.lastIndexOf('/') + 1;
  return `/${name.slice(0, slash)}_posts/${name.slice(slash)}`;
}

/** Stands for a brace that Liquid does not read. */
const guard = '\uE0F3';
const rawText = /\{%-?\s*raw\s*-?%\}((?:(?!\{%-?\s*(?:end)?raw\s*-?%\})[\s\S])*)\{%-?\s*endraw\s*-?%\}/g;

export function fromJekyll(text: string, approximated: Approximation[]): string {
  const named = (construct: string, before: string, after: string) => {
    approximated.push({ construct, before: before.slice(0, 500), after: after.slice(0, 500) });
    return after;
  };
  const facts = readFrontMatter(text)?.data ?? {};
  const guarded = text.replace(rawText, (before, inner: string) =>
    named('raw text', before, inner.replace(/\{(?=[{%])/g, guard)),
  );
  const code = guarded.replace(
    /\{%-?\s*highlight\s+(\w[\w+#-]*)[^%\n]{0,200}%\}\n?((?:(?!\{%-?\s*(?:end)?highlight)[\s\S])*?)\n?\{%-?\s*endhighlight\s*-?%\}/g,
    (before, language: string, inner: string) =>
      named('highlighted code', before, `\`\`\`${language}\n${inner}\n\`\`\``),
  );
  const lines = outsideFences(code, (part) =>
    part
      // A list whose item is replaced, or nothing else.
      .replace(
        /^(?:[ \t]*(?:[*+-]|\d{1,9}\.)[ \t].*\n)?[ \t]*\{:[ \t]*toc\b[^{}\n]{0,100}\}[ \t]*$/gim,
        (before) => named('table of contents', before, '[TOC]'),
      )
      .replace(
        /^((?:>.*\n){1,500})\{:[^{}\n]{0,100}?\.(?:prompt-)?(note|tip|info|warning|danger|important|caution)\b[^{}\n]{0,100}\}[ \t]*$/gm,
        (before, quote: string, kind: string) => named('box', before, `> [!${kind}]\n${quote}`),
      )
      .replace(
        /^\{:[ \t]*\.(note|tip|info|warning|danger|important|caution)[ \t]*\}[ \t]*\n((?:(?![ \t]*\n).*(?:\n|$)){1,500})/gm,
        (before, kind: string, lines: string) =>
          named('box', before, `> [!${kind}]\n${lines.replace(/^(?:>[ \t]?)?(?=.)/gm, '> ')}`),
      )
      .replace(tables, (before) => {
        const after = withHeading(before);
        return after === before ? before : named('table without a heading', before, after);
      })
      .replace(/^[ \t]*\{::?(?!toc)[^{}\n]{1,500}\}[ \t]*$/gm, (before) => named('attributes', before, '')),
  );
  return outsideCode(lines, (part) =>
    part
      .replace(/\{\{-?\s*(?:site\.(?:baseurl|url)|site\.github\.url)\s*-?\}\}/g, (before) =>
        named('base address', before, ''),
      )
      .replace(/\{%-?\s*link\s+([^\s%]{1,500})\s*-?%\}/g, (before, target: string) =>
        named('link', before, `/${target.replace(/^\//, '')}`),
      )
      .replace(/\{%-?\s*post_url\s+([^\s%]{1,500})\s*-?%\}/g, (before, name: string) =>
        named('link', before, postOf(name.replace(/^\//, ''))),
      )
      .replace(
        /\{\{-?\s*(["'])([^"'{}\n]{1,500})\1\s*\|\s*(?:relative_url|absolute_url|prepend:[^{}\n]{1,200})\s*-?\}\}/g,
        (before, _quote: string, target: string) => named('link', before, target),
      )
      .replace(
        /\{%-?\s*(comment|capture)\b[^\n]{0,200}?%\}(?:(?!\{%-?\s*(?:comment|capture)\b)[\s\S]){0,20000}?\{%-?\s*end\1\s*-?%\}/g,
        (before) => named('Liquid', before, ''),
      )
      .replace(/\{%-?\s*for\s(?:(?!\{%-?\s*for\s)[\s\S]){0,20000}?\{%-?\s*endfor\s*-?%\}/g, (before) =>
        named('list that Jekyll makes', before, ''),
      )
      .replace(/\{%-?\s*assign\s[^\n]{0,500}?%\}/g, (before) => named('Liquid', before, ''))
      .replace(/\{\{-?\s*page\.([\w-]{1,60})\s*-?\}\}/g, (before, name: string) => {
        const value = facts[name];
        return typeof value === 'string' || typeof value === 'number'
          ? named('front matter', before, `${value}`)
          : before;
      })
      .replace(/\{%.{1,500}?%\}/g, (before) => named('Liquid', before, before))
      // Two braces would call a template of this wiki.
      .replace(/(?<!\\)\{\{[^{}\n]{1,500}\}\}/g, (before) => named('Liquid', before, `\\${before}`))
      .replaceAll(guard, '\\{'),
  ).replaceAll(guard, '{');
}
