/**
 * Tags of media that other programs show within Markdown and pages here do not: films, sounds and pictures become `<img>`, which
 * shows files of every type here, and frames become links to what they show. HTML stays HTML, since no Markdown is read in a block
 * of it.
 */
import type { Approximation } from '../source.ts';
import { attributesIn, outsideCode } from './terms/tags.ts';

const opening = /<(video|audio|iframe|embed|object)(?=[\s/>])((?:"[^"<]*"|'[^'<]*'|[^<>"'])*)>/gi;
const picture = /\.(?:svg|png|jpe?g|gif|webp|avif|bmp)(?:[?#]|$)/i;
/** Longest content of a tag that is looked for its end. */
const longest = 5000;

export function mediaTags(text: string, approximated: Approximation[]): string {
  return /<(?:video|audio|iframe|embed|object)\b/i.test(text)
    ? outsideCode(text, (part) => converted(part, approximated))
    : text;
}

function converted(part: string, approximated: Approximation[]): string {
  let out = '';
  let at = 0;
  for (const { 0: whole, 1: name = '', 2: rest = '', index } of part.matchAll(opening)) {
    if (index < at) continue;
    const from = index + whole.length;
    const close = new RegExp(`</${name}\\s*>`, 'i').exec(part.slice(from, from + longest));
    const end = close && !rest.endsWith('/') ? from + close.index + close[0].length : from;
    const after = shown(name.toLowerCase(), attributesIn(rest), part.slice(from, end));
    if (after === undefined) continue;
    const before = part.slice(index, Math.min(end, index + 300));
    approximated.push({
      construct: `tag <${name.toLowerCase()}>, now ${after.kind}`,
      before,
      after: after.html,
    });
    out += part.slice(at, index) + after.html;
    at = end;
  }
  return out + part.slice(at);
}

/** Undefined for a tag that names nothing. */
function shown(
  name: string,
  attributes: Readonly<Record<string, string>>,
  inside: string,
): { kind: 'a link' | 'a file'; html: string } | undefined {
  const [, source = ''] = /<source\b[^<>]*?\ssrc\s*=\s*["']([^"'<>]+)["']/i.exec(inside) ?? [];
  const written = attributes[name === 'object' ? 'data' : 'src'] ?? source;
  if (!/^(?:https?:|\/\/|[^\s:]+$)/i.test(written) || written === '') return undefined;
  const address = written.startsWith('//') ? `https:${written}` : written;
  const { title = '', width = '' } = attributes;
  if (name === 'video' || name === 'audio' || (name !== 'iframe' && picture.test(address)))
    return {
      kind: 'a file',
      html: `<img src="${address}"${/^\d+$/.test(width) ? ` width="${width}"` : ''}>`,
    };
  return { kind: 'a link', html: `<a href="${address}">${title.replace(/[<>]/g, '') || address}</a>` };
}
