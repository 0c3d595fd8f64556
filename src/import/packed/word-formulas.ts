/**
 * Formulas of Word (Office MathML, ECMA-376 part 1, chapter 22) as TeX. The library that reads documents passes them over, so
 * they are written into the text between two characters of private use.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes';

interface Part {
  name: string;
  value: string | undefined;
  children: (Part | string)[];
}

const mark = { start: '\uE0F0', block: '\uE0F1', end: '\uE0F2' } as const;
/** One without an end reaches to the end of the text, so that it is not searched again for each beginning. */
const formula = /<m:(oMathPara|oMath)(?:\s[^<>]*)?>[\s\S]*?(<\/m:\1>|$)/g;
const marked = new RegExp(`[${mark.start}${mark.block}]([^${mark.end}]*)${mark.end}`, 'g');

export function withMarkedFormulas(xml: string): string {
  return xml.replace(formula, (written, name: string, end: string) => {
    if (end === '') return written;
    const tex = texOf(written);
    const start = name === 'oMathPara' ? mark.block : mark.start;
    return tex === '' ? '' : `<w:r><w:t xml:space="preserve">${start}${escaped(tex)}${mark.end}</w:t></w:r>`;
  });
}

/** MathML that holds the source of the formula, in HTML in which it is marked. */
export function withMathOfMarks(html: string): string {
  return html.replace(marked, (whole, tex: string) => {
    const display = whole.startsWith(mark.block) ? ' display="block"' : '';
    return `<math${display}><annotation encoding="application/x-tex">${tex}</annotation></math>`;
  });
}

function texOf(xml: string): string {
  const root: Part = { name: '', value: undefined, children: [] };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    const part = { name, value: attributes['m:val'], children: [] };
    open.at(-1)?.children.push(part);
    open.push(part);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', (text) => {
    if (open.at(-1)?.name === 'm:t') open.at(-1)?.children.push(text);
  });
  parser.write(xml).close();
  return written(root).replace(/\s+/g, ' ').trim();
}

function written(part: Part | string | undefined): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return part.replace(/[\\{}$&#_^%~]/g, (sign) => names[sign] ?? `\\${sign}`);
  const within = (name: string) => written(childOf(part, name));
  const set = (name: string, usual: string) =>
    childOf(childOf(part, `${part.name}Pr`), `m:${name}`)?.value ?? usual;
  const base = () => `{${within('m:e')}}`;
  const scripts = (below: string, above: string) =>
    `${below === '' ? '' : `_{${below}}`}${above === '' ? '' : `^{${above}}`}`;
  switch (part.name) {
    case 'm:f':
      return `\\frac{${within('m:num')}}{${within('m:den')}}`;
    case 'm:sSup':
    case 'm:sSub':
    case 'm:sSubSup':
      return base() + scripts(within('m:sub'), within('m:sup'));
    case 'm:limLow':
      return base() + scripts(within('m:lim'), '');
    case 'm:limUpp':
      return base() + scripts('', within('m:lim'));
    case 'm:rad': {
      const degree = within('m:deg');
      return `\\sqrt${degree === '' ? '' : `[${degree}]`}${base()}`;
    }
    case 'm:d': {
      const inner = childrenOf(part, 'm:e').map(written).join(set('sepChr', '|'));
      return `\\left${delimiter(set('begChr', '('))}${inner}\\right${delimiter(set('endChr', ')'))}`;
    }
    case 'm:nary':
      return `${set('chr', '∫')}${scripts(within('m:sub'), within('m:sup'))}${base()}`;
    case 'm:func':
      return `\\operatorname{${within('m:fName')}}${base()}`;
    case 'm:bar':
      return `\\overline${base()}`;
    case 'm:acc':
      return `${accents[set('chr', '\u0302')] ?? '\\hat'}${base()}`;
    case 'm:m':
      return rowsOf(
        'matrix',
        childrenOf(part, 'm:mr').map((row) => childrenOf(row, 'm:e').map(written).join(' & ')),
      );
    case 'm:eqArr':
      return rowsOf('gathered', childrenOf(part, 'm:e').map(written));
    default:
      return part.children.map(written).join('');
  }
}

/** Signs that TeX writes by name. */
const names: Readonly<Record<string, string>> = { '\\': '\\backslash ', '^': '\\hat{}', '~': '\\sim ' };
const accents: Readonly<Record<string, string>> = {
  '\u0301': '\\acute',
  '\u0303': '\\tilde',
  '\u0304': '\\bar',
  '\u0305': '\\overline',
  '\u0307': '\\dot',
  '\u0308': '\\ddot',
  '\u20D7': '\\vec',
};

function delimiter(sign: string): string {
  return sign === '' ? '.' : /[{}]/.test(sign) ? `\\${sign}` : sign;
}

function rowsOf(environment: string, rows: readonly string[]): string {
  return `\\begin{${environment}}${rows.join(' \\\\ ')}\\end{${environment}}`;
}

function childrenOf(part: Part | undefined, name: string): Part[] {
  return (part?.children ?? []).filter((one): one is Part => typeof one !== 'string' && one.name === name);
}

function childOf(part: Part | undefined, name: string): Part | undefined {
  return childrenOf(part, name)[0];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
