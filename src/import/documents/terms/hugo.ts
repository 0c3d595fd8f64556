/** Shortcodes of Hugo and its usual themes. */
import { readFrontMatter } from '@coppice/markdown';
import type { Approximation } from '../../source.ts';
import { boxOf, convertTags, type FoundTag, outsideFences, tabOf, undented } from './tags.ts';

const pattern =
  /\{\{[<%][ \t]*(?<close>\/)?[ \t]*(?<name>[A-Za-z][\w/.-]*)(?<rest>[^\n{}]{0,1000}?)(?<self>\/)?[ \t]*[%>]\}\}/g;
const reference =
  /\{\{[<%][ \t]*(?:rel)?ref[ \t]*(?:path[ \t]*=[ \t]*)?(?:"([^"\n]{1,500})"|`([^`\n]{1,500})`|([^\s"`<>%{}]{1,500}))[^\n{}]{0,200}?[ \t]*[%>]\}\}/g;
const box =
  /^(?:notice|hint|alert|callout|admonition|details|note|tip|warning|info|danger|caution|important|pageinfo|expand|collapse|accordion|spoiler)$/;
const boxes = /^(?:note|tip|info|warning|caution|danger|important)$/;
const colours: Readonly<Record<string, string>> = {
  primary: 'info',
  success: 'tip',
  secondary: 'note',
  error: 'danger',
};

export function fromHugo(text: string, approximated: Approximation[]): string {
  const facts = readFrontMatter(text)?.data ?? {};
  const linked = outsideFences(text, (part) =>
    part.replace(reference, (before, double?: string, tick?: string, bare?: string) => {
      const after = double ?? tick ?? bare ?? '';
      approximated.push({ construct: 'reference', before, after });
      return after;
    }),
  );
  const closed = new Set([...linked.matchAll(/\{\{[<%]\s*\/\s*([A-Za-z][\w/.-]*)/g)].map(([, name]) => name));
  const shown = convertTags(
    linked,
    { pattern, isPaired: (name) => closed.has(name), kind: 'shortcode' },
    (tag) => convert(tag, facts),
    approximated,
  );
  // Hugo shows a shortcode that is commented out as it would be written, in code as well.
  return shown.replace(
    /\{\{([<%])\/\*([^\n]{0,1000}?)\*\/([>%])\}\}/g,
    (before, open: string, inside: string, close: string) => {
      const after = `{{${open}${inside}${close}}}`;
      approximated.push({ construct: 'shortcode shown as text', before, after });
      return after;
    },
  );
}

function convert(
  { name, attributes, inner }: FoundTag,
  facts: Readonly<Record<string, unknown>>,
): string | undefined {
  const { src, alt, caption, title, link } = attributes;
  const first = attributes[0];
  if (box.test(name) && inner !== undefined) {
    const type = [attributes.type, attributes.context, attributes.color, first, name].find(
      (one) => one !== undefined && (boxes.test(one) || one in colours),
    );
    const isFirst = first !== undefined && first !== type && !/^(?:notice|hint|alert|callout)$/.test(name);
    return boxOf(
      colours[type ?? ''] ?? type ?? 'note',
      title ?? attributes.summary ?? (isFirst ? first : undefined),
      inner,
    );
  }
  switch (name) {
    case 'figure':
    case 'img': {
      const address = src ?? first;
      if (address === undefined) return undefined;
      const size = ['width', 'height'].flatMap((side) => {
        const pixels = /^(\d{1,5})(?:px)?$/.exec(attributes[side] ?? '')?.[1];
        return pixels === undefined ? [] : [`${side}=${pixels}`];
      });
      const picture = `![${alt ?? caption ?? title ?? ''}](<${address}>)${size.length > 0 ? `{${size.join(' ')}}` : ''}`;
      const shown = [title && `**${title}**`, caption && `*${caption}*`].filter(Boolean).join(' ');
      return `${link ? `[${picture}](<${link}>)` : picture}${shown ? `\n\n${shown}` : ''}`;
    }
    case 'youtube':
      return `<https://www.youtube.com/watch?v=${encodeURIComponent(attributes.id ?? first ?? '')}>`;
    case 'vimeo':
      return `<https://vimeo.com/${encodeURIComponent(attributes.id ?? first ?? '')}>`;
    case 'tweet':
    case 'twitter':
    case 'x':
    case 'x_simple': {
      const id = attributes.id ?? attributes[1] ?? first;
      return id === undefined ? undefined : `<https://x.com/i/status/${encodeURIComponent(id)}>`;
    }
    case 'instagram':
      return `<https://www.instagram.com/p/${encodeURIComponent(attributes.id ?? first ?? '')}/>`;
    case 'param': {
      const value = facts[first ?? attributes.name ?? ''];
      return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    }
    case 'button':
    case 'btn': {
      const address = attributes.href ?? attributes.relref ?? attributes.ref ?? attributes.url ?? link;
      return address === undefined || inner === undefined
        ? undefined
        : `[${undented(inner) || address}](<${address}>)`;
    }
    case 'katex':
    case 'math':
      if (inner === undefined) return undefined;
      return 'display' in attributes || first === 'display' || inner.includes('\n')
        ? `\n$$\n${undented(inner)}\n$$\n`
        : `$${inner.trim()}$`;
    case 'gist':
      return `<https://gist.github.com/${first ?? ''}/${attributes[1] ?? ''}>`;
    case 'highlight':
      return inner === undefined ? undefined : `\n\`\`\`${first ?? ''}\n${undented(inner)}\n\`\`\`\n`;
    case 'mermaid':
      return inner === undefined ? undefined : `\n\`\`\`mermaid\n${undented(inner)}\n\`\`\`\n`;
    case 'tab':
      return inner === undefined
        ? undefined
        : tabOf(attributes.name ?? attributes.header ?? attributes.label ?? title ?? first ?? 'Tab', inner);
    case 'tabs':
    case 'tabpane':
    case 'columns':
    case 'steps':
      return inner === undefined
        ? undefined
        : `\n\n${undented(inner.replace(/(?<![ \t])[ \t]*<--->[ \t]*/g, '\n\n'))}\n\n`;
    default:
      return undefined;
  }
}
