/** MDX of Docusaurus, Next.js and the like: components become callouts, headings and links; programs are taken out and named. */
import type { Approximation } from '../../source.ts';
import {
  boxOf,
  convertTags,
  type FoundTag,
  outsideCode,
  outsideFences,
  summaryOf,
  tabOf,
  undented,
} from './tags.ts';

/** Components have a capital letter; all else is HTML. */
const pattern =
  /<(?<close>\/)?(?<name>[A-Z][\w.]*)(?<rest>(?:[^<>"'{}]|"[^"]*"|'[^']*'|\{[^{}]{0,500}\}){0,500}?)(?<self>\/)?>/g;
const boxes: Readonly<Record<string, string>> = {
  Note: 'note',
  Tip: 'tip',
  Info: 'info',
  Warning: 'warning',
  Caution: 'caution',
  Danger: 'danger',
  Important: 'important',
  Callout: 'note',
  Admonition: 'note',
  Aside: 'note',
  Alert: 'note',
  Check: 'tip',
  Pitfall: 'warning',
  DeepDive: 'info',
  Wip: 'warning',
  Deprecated: 'warning',
  Hint: 'tip',
};
const types: Readonly<Record<string, string>> = {
  note: 'note',
  tip: 'tip',
  info: 'info',
  warning: 'warning',
  caution: 'caution',
  danger: 'danger',
  error: 'danger',
  success: 'tip',
  important: 'important',
  default: 'note',
  destructive: 'danger',
};

const importedPicture =
  /^import[ \t]+(\w{1,60})[ \t]+from[ \t]+(["'])([^"'\n]{1,300}\.(?:avif|gif|jpe?g|png|svg|webp))\2/gim;
/** Words with marks of Markdown, which are only read on lines of their own here. */
const summary = /<summary>([^<\n]{0,300}?[*_`[][^<\n]{0,300}?)<\/summary>/gi;

export function fromMdx(text: string, approximated: Approximation[]): string {
  const named = (construct: string, change: (before: string) => string) => (before: string) => {
    const after = change(before);
    approximated.push({ construct, before: before.slice(0, 500), after });
    return after;
  };
  const headed = outsideFences(text, (part) =>
    part.replace(
      /^(#{1,6}[^\n]*?)[ \t]{0,100}\{\/\*\s*#?([\w.:-]{1,200})\s*\*\/\}[ \t]*$/gm,
      (before, heading, id) => named('ID of a heading', () => `${heading} {#${id}}`)(before),
    ),
  );
  const pictures = new Map<string, string>();
  outsideCode(headed, (part) => {
    for (const [, name = '', , address = ''] of part.matchAll(importedPicture)) pictures.set(name, address);
    return part;
  });
  const bare = outsideCode(headed, (part) =>
    part
      .replace(
        /(?<=\]\(<?)pathname:\/\/(?=\/)/g,
        named('link', () => ''),
      )
      .replace(
        /\{\/\*[\s\S]{0,2000}?\*\/\}/g,
        named('comment', () => ''),
      )
      .replace(
        /^(?:import[ \t]*\{[^{}]{0,2000}\}[ \t]*from[^\n]*|import[ \t][^\n]*|export[ \t]+(?:const|default|function|let|\*|\{)[^\n]*(?:\n(?:[ \t]+[^\n]*|[}\])][^\n]*))*)$/gm,
        named('JavaScript', () => ''),
      ),
  );
  const plain = outsideCode(bare, (part) =>
    part
      .replace(/=\{\s*(\w{1,60})(?:\.(?:src|default))?\s*\}/g, (before, name) => {
        const address = pictures.get(name);
        return address === undefined ? before : named('address in JavaScript', () => `="${address}"`)(before);
      })
      .replace(/(?<=<[a-z][^<>\n]{0,300})[ \t]style=\{\{([^{}\n]{0,500})\}\}/gi, (before, rules) =>
        named('attributes', () => styleOf(rules))(before),
      )
      .replace(
        /(?<=<[a-z][^<>\n]{0,300}[ \t])className=(?=["'])/g,
        named('attributes', () => 'class='),
      )
      .replace(/\{\s*(["'])([^"'{}\n]{0,200})\1\s*\}(?![^<\n]{0,300}>)/g, (before, _quote, words) =>
        named('JavaScript', () => words)(before),
      )
      .replace(
        /\{\s*(?:useBaseUrl|require|withBase)\(\s*(["'])([^"'\n{}]{1,500})\1\s*\)(?:\.default)?\s*\}/g,
        (before, _quote, address) => named('address in JavaScript', () => `"${address}"`)(before),
      ),
  );
  // In MDX, an element on a line of its own does not make HTML of the lines that follow.
  const apart = outsideFences(plain, (part) =>
    part
      .replace(summary, (before, inside) => named('Markdown within HTML', () => summaryOf(inside))(before))
      .replace(/^(<[A-Za-z][^\n]{0,1000}\/>)[ \t]*\n(?=[^\s<])/gm, '$1\n\n'),
  );
  const closed = new Set([...apart.matchAll(/<\/([A-Z][\w.]*)\s*>/g)].map(([, name]) => name));
  const syntax = { pattern, isPaired: (name: string) => closed.has(name), kind: 'JSX' };
  return convertTags(apart, syntax, convert, approximated);
}

/** Rules of JavaScript as CSS: `{color: 'red', fontSize: 12}`. */
function styleOf(rules: string): string {
  const css = [
    ...rules.matchAll(/["']?([A-Za-z-]{1,40})["']?\s*:\s*(?:"([^"]*)"|'([^']*)'|(-?[\d.]+))/g),
  ].map(([, name = '', double, single, number]) => {
    const value = double ?? single ?? (number === '0' || name === 'opacity' ? number : `${number}px`);
    return `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value}`;
  });
  return css.length === 0 ? '' : ` style="${css.join('; ').replaceAll('"', "'")}"`;
}

function convert({ name, attributes, inner }: FoundTag): string | undefined {
  const { type, title, label, value, href, to, url, src, alt } = attributes;
  const box = boxes[name];
  if (box !== undefined && inner !== undefined) return boxOf(types[type ?? ''] ?? box, title, inner);
  const text = undented(inner ?? '');
  if (name === 'TabItem' || name === 'Tab' || name === 'Tabs.Tab' || name === 'Accordion' || name === 'Step')
    return inner === undefined ? undefined : tabOf(label ?? title ?? value ?? 'Tab', inner);
  if (
    /^(?:Tabs|CodeGroup|Steps|Cards|CardGroup|AccordionGroup|Intro|Sandpack|LearnMore|YouWillLearn|Recipes|Challenges|Details)$/.test(
      name,
    )
  )
    return inner === undefined ? '' : `\n\n${text}\n\n`;
  const address = href ?? to ?? url;
  if (/^(?:Link|A|Card|LinkCard|DocCard|Button)$/.test(name) && address !== undefined)
    return `[${(text.replace(/\s+/g, ' ') || title || label) ?? address}](<${address}>)${name.includes('Card') ? '\n\n' : ''}`;
  if (/^(?:Image|Img|ThemedImage)$/.test(name) && src !== undefined && !src.includes('('))
    return `![${alt ?? ''}](<${src}>)`;
  if (/^(?:YouTube|YouTubeEmbed|Youtube|LiteYouTubeEmbed)$/.test(name)) {
    const video = attributes.id ?? attributes.videoId ?? attributes.youTubeId;
    return video === undefined ? undefined : `<https://www.youtube.com/watch?v=${encodeURIComponent(video)}>`;
  }
  if (name === 'TOCInline' || name === 'TableOfContents') return '\n\n[TOC]\n\n';
  if (name === 'DocCardList' || name === 'DocsCards') return '\n\n{{Children}}\n\n';
  // Content of a component that only the site knows.
  return inner?.trim() ? inner : undefined;
}
